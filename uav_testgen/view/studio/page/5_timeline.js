// One time line for replay and charts; the 3-D view of the same moment.
const chartTop = { speed: 2, z: 12, tilt: 10 };
function drawChart() {
  const kind = byId("chart").value, { run } = state;
  if (kind === "d") { if (run && !run.d.length) { sheet(byId("distance")); } else drawDistance(); return; }
  if (!run) return;
  const values = kind === "heading" ? run.yaw.map((yaw) => (450 - yaw * 180 / Math.PI) % 360) : run[kind];
  const range = kind === "heading" ? [0, 360] : [Math.min(0, ...values), Math.max(chartTop[kind], ...values) * 1.05];
  const plot = distancePlot = frame(byId("distance"), { x: [run.t[0], run.t[run.t.length - 1]], y: range, xLabel: "time [s]" });
  const pieces = [[]];
  values.forEach((value, k) => { if (kind === "heading" && k && Math.abs(value - values[k - 1]) > 180) pieces.push([]); pieces[pieces.length - 1].push([plot.toX(run.t[k]), plot.toY(value)]); });
  pieces.forEach((points) => line(plot.pen, points, colour("path"), 2));
  const x = plot.toX(state.time), { index } = poseAt(run, state.time);
  line(plot.pen, [[x, plot.top], [x, plot.height - plot.bottom]], colour("ink"), 1);
  plot.pen.beginPath(); plot.pen.arc(x, plot.toY(values[index]), 4.5, 0, 7); plot.pen.fillStyle = colour("ink"); plot.pen.fill();
}
// The safe distance around every obstacle, at the height of the flight.
function drawSafeDistance() {
  const canvas = byId("space"), pen = canvas.getContext("2d"), look = projector(canvas.clientWidth, canvas.clientHeight), height = poseAt(state.run, state.time).z;
  for (const still of state.test.obstacles) {
    const one = placed(still, state.time), wider = { ...one, size: one.size.map((size) => size + 2 * data.soft_below_m) }, ring = outline(wider).map(([x, y]) => look(x, y, height).slice(0, 2));
    line(pen, [...ring, ring[0]], colour("soft-fail"), 1.2, [4, 4]);
  }
}
function drawSpaceView() {
  if (byId("space").hidden || !state.test) return;
  drawSpace();
  drawSafeDistance();
  // What the planner sees and thinks, over the scene.
  const moment = sees.moment, canvas = byId("space"), pen = canvas.getContext("2d"), look = projector(canvas.clientWidth, canvas.clientHeight);
  if (!moment) return;
  const flat = (point) => look(...point).slice(0, 2);
  pen.globalAlpha = 0.5;
  moment.parents.forEach((parent, k) => { if (k && parent >= 0) line(pen, [flat(moment.tree[k]), flat(moment.tree[parent])], colour("soft"), 0.8); });
  pen.fillStyle = colour("ink"); moment.points.forEach((point) => { const [x, y] = flat(point); pen.fillRect(x - 1, y - 1, 2, 2); });
  pen.globalAlpha = 1; line(pen, moment.path.map(flat), colour("accent"), 2, [1, 4]);
}
watchers.splice(watchers.indexOf(drawDistance), 1, drawChart);
watchers.splice(watchers.indexOf(drawSpace), 1, drawSpaceView);

function showTime() {
  const { run } = state;
  if (!run) return;
  const end = run.t[run.t.length - 1], pose = poseAt(run, state.time), speed = run.speed[pose.index];
  byId("time").value = String(Math.round(1000 * state.time / Math.max(1e-9, end)));
  byId("clock").textContent = `${number(state.time, 1)} s · ${number(speed, 1)} m/s · height ${number(pose.z, 1)} m · distance ${pose.distance === null ? "–" : `${number(pose.distance)} m`}`;
  redraw(); askMoment();
}
let before = 0;
function tick(now) {
  if (!state.playing || !state.run) return;
  const end = state.run.t[state.run.t.length - 1];
  state.time = Math.min(end, state.time + 0.001 * byId("speed").value * (now - before)); before = now;
  if (state.time >= end) play(false);
  showTime(); requestAnimationFrame(tick);
}
function play(on) {
  if (!state.run) return;
  state.playing = on; byId("play").textContent = on ? "Pause" : "Play";
  if (!on) return;
  if (state.time >= state.run.t[state.run.t.length - 1]) state.time = 0;
  before = performance.now(); requestAnimationFrame(tick);
}
byId("play").addEventListener("click", () => play(!state.playing));
byId("time").addEventListener("input", (event) => { if (!state.run) return; const { t } = state.run; state.time = event.target.value / 1000 * t[t.length - 1]; showTime(); });
byId("chart").addEventListener("input", drawChart);
byId("distance").addEventListener("click", (event) => {
  if (!distancePlot || !state.run) return;
  const { t } = state.run, { left, right, width } = distancePlot;
  state.time = clamp((event.offsetX - left) / (width - left - right), 0, 1) * t[t.length - 1]; showTime();
});
byId("look").addEventListener("click", () => {
  const isSpace = byId("space").hidden;
  byId("space").hidden = !isSpace; byId("map").toggleAttribute("hidden", isSpace); byId("map").style.display = isSpace ? "none" : "";
  byId("look").textContent = isSpace ? "Map" : "3-D"; byId("look").setAttribute("aria-pressed", String(isSpace));
  if (isSpace && state.test) lookAtFlight();
  redraw();
});
