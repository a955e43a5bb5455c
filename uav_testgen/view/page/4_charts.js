// Distance over time, progress of the search, overlap matrix.
function frame(canvas, { left = 46, right = 16, top = 12, bottom = 26, x, y, xLabel, yStep }) {
  const { pen, width, height } = sheet(canvas);
  const toX = (value) => left + (value - x[0]) / Math.max(1e-9, x[1] - x[0]) * (width - left - right);
  const toY = (value) => height - bottom - (value - y[0]) / Math.max(1e-9, y[1] - y[0]) * (height - top - bottom);
  const every = yStep || step(y[1] - y[0], Math.max(2, (height - top - bottom) / 42));
  pen.textAlign = "right"; pen.textBaseline = "middle";
  for (let value = Math.ceil(y[0] / every) * every; value <= y[1] + 1e-9; value += every) {
    line(pen, [[left, toY(value)], [width - right, toY(value)]], colour("line"), 1);
    pen.fillStyle = colour("faint"); pen.fillText(String(+value.toFixed(3)), left - 8, toY(value));
  }
  if (xLabel === null) return { pen, width, height, toX, toY, left, right, top, bottom };
  const across = step(x[1] - x[0], Math.max(2, (width - left - right) / 90));
  pen.textAlign = "center"; pen.textBaseline = "alphabetic";
  const free = width - right - pen.measureText(xLabel).width - 22; // room for the name of the axis
  for (let value = Math.ceil(x[0] / across) * across; value <= x[1] + 1e-9; value += across) {
    if (toX(value) > free) continue;
    pen.fillStyle = colour("faint"); pen.fillText(String(+value.toFixed(3)), toX(value), height - 8);
  }
  pen.textAlign = "right"; pen.fillStyle = colour("soft"); pen.fillText(xLabel, width - right, height - 8);
  return { pen, width, height, toX, toY, left, right, top, bottom };
}

// The moment of the time line, with a dot on the curve.
function cursor(plot, time, value) {
  const x = plot.toX(time);
  line(plot.pen, [[x, plot.top], [x, plot.height - plot.bottom]], colour("ink"), 1);
  plot.pen.beginPath(); plot.pen.arc(x, plot.toY(value), 4.5, 0, 7); plot.pen.fillStyle = colour("ink"); plot.pen.fill();
}

function threshold(plot, value, text, style, dash = [5, 4]) {
  const y = plot.toY(value);
  if (y < plot.top) return;
  line(plot.pen, [[plot.left, y], [plot.width - plot.right, y]], style, 1.2, dash);
  plot.pen.fillStyle = style; plot.pen.textAlign = "left"; plot.pen.fillText(text, plot.left + 6, y - 5);
}

let distancePlot = null;
function drawDistance() {
  const { run } = state;
  if (!run || !run.d.length) { sheet(byId("distance")); distancePlot = null; return; }
  const end = run.t[run.t.length - 1];
  const top = clamp(Math.max(...run.d), 4, 9);
  const plot = distancePlot = frame(byId("distance"), { ...(byId("distance").dataset.title ? { top: 18 } : {}), x: [run.t[0], end], y: [0, top], xLabel: "time [s]" });
  const { pen, toX, toY } = plot;
  threshold(plot, data.soft_below_m, `too close below ${data.soft_below_m} m`, colour("hard"));
  threshold(plot, data.hard_below_m, "", colour("hard"), []);
  pen.save(); pen.beginPath(); pen.rect(plot.left, plot.top, plot.width - plot.left - plot.right, plot.height - plot.top - plot.bottom + 1); pen.clip();
  drawPath(pen, { x: run.t, y: run.d, z: run.d, d: run.d }, (x, y) => [toX(x), toY(y)], 2);
  pen.restore();
  if (byId("distance").dataset.title) { pen.fillStyle = colour("soft"); pen.textAlign = "left"; pen.fillText(byId("distance").dataset.title, plot.left + 2, 12); }
  cursor(plot, state.time, Math.min(poseAt(run, state.time).distance, top));
}
watchers.push(drawDistance);

function drawProgress() {
  const { numbers, distances, failures, best } = data.progress;
  if (!numbers.length) { sheet(byId("progress")); return; }
  const last = Math.max(1, numbers[numbers.length - 1] + 1);
  const top = clamp(Math.max(3, ...distances.filter((value) => value !== null)), 3, 12);
  const plot = frame(byId("progress"), { right: 44, x: [0, last], y: [0, top], xLabel: "evaluation" });
  const { pen, toX, toY } = plot;
  const most = Math.max(1, failures[failures.length - 1]);
  const toFailures = (count) => plot.height - plot.bottom - count / most * 0.92 * (plot.height - plot.top - plot.bottom);
  pen.beginPath(); pen.moveTo(toX(0), toFailures(0));
  numbers.forEach((value, k) => { pen.lineTo(toX(value + 1), toFailures(failures[k])); });
  pen.lineTo(toX(last), toFailures(0)); pen.closePath(); pen.globalAlpha = 0.13; pen.fillStyle = colour("accent"); pen.fill(); pen.globalAlpha = 1;
  pen.fillStyle = colour("accent"); pen.textAlign = "left"; pen.fillText(`${failures[failures.length - 1]}`, toX(last) + 6, toFailures(most) + 4);
  threshold(plot, data.soft_below_m, "", colour("hard"));
  numbers.forEach((value, k) => {
    if (distances[k] === null) return;
    pen.beginPath(); pen.arc(toX(value + 0.5), toY(Math.min(distances[k], top)), distances[k] < data.soft_below_m ? 3 : 2, 0, 7);
    pen.globalAlpha = distances[k] < data.soft_below_m ? 0.95 : 0.35;
    pen.fillStyle = distances[k] < data.soft_below_m ? distanceColour(distances[k]) : colour("soft"); pen.fill();
  });
  pen.globalAlpha = 1;
  const steps = [];
  numbers.forEach((value, k) => { if (best[k] !== null) { if (steps.length) steps.push([toX(value), steps[steps.length - 1][1]]); steps.push([toX(value), toY(Math.min(best[k], top))]); } });
  if (steps.length) steps.push([toX(last), steps[steps.length - 1][1]]);
  line(pen, steps, colour("ink"), 1.6);
}

function drawMatrix() {
  const { pen, width, height } = sheet(byId("matrix"));
  const count = tests.length;
  if (!count) return;
  const side = Math.min(width, height) - 30, cell = side / count, x0 = (width - side) / 2 + 8, y0 = 6;
  for (let row = 0; row < count; row++) for (let column = 0; column < count; column++) {
    pen.globalAlpha = row === column ? 0.9 : 0.05 + 0.95 * data.overlap[row][column];
    pen.fillStyle = row === column ? colour("line") : colour("accent");
    pen.fillRect(x0 + column * cell + 0.5, y0 + row * cell + 0.5, Math.max(1, cell - 1), Math.max(1, cell - 1));
  }
  pen.globalAlpha = 1; pen.fillStyle = colour("faint"); pen.textAlign = "center";
  const every = Math.ceil(count / 10);
  for (let k = 0; k < count; k += every) {
    pen.textAlign = "center"; pen.fillText(String(k + 1), x0 + (k + 0.5) * cell, y0 + side + 15);
    pen.textAlign = "right"; pen.fillText(String(k + 1), x0 - 6, y0 + (k + 0.5) * cell + 4);
  }
  if (state.test) {
    const k = tests.indexOf(state.test);
    pen.strokeStyle = colour("ink"); pen.lineWidth = 1.5; pen.strokeRect(x0, y0 + k * cell, side, cell);
  }
}
