// One time line for replay and charts; the 3-D view of the same moment.
const charts = {
  speed: { text: "Speed [m/s]", low: 0, high: 2 }, z: { text: "Height [m]", low: 0, high: 12 },
  heading: { text: "Heading [°]", low: 0, high: 360, every: 180 }, tilt: { text: "Tilt [°]", low: 0, high: 10 },
};
const headings = (run) => run.yaw.map((yaw) => ((450 - yaw * 180 / Math.PI) % 360 + 360) % 360);
function drawStrip(kind) {
  const canvas = byId(`strip-${kind}`), { run } = state, chart = charts[kind];
  if (canvas.hidden || !run) return;
  const values = kind === "heading" ? headings(run) : run[kind];
  const range = [Math.min(chart.low, ...values), kind === "heading" ? 360 : Math.max(chart.high, ...values) * 1.05];
  const plot = chart.plot = frame(canvas, { top: 16, bottom: 5, x: [run.t[0], endOf(run)], y: range, xLabel: null, yStep: chart.every });
  const pieces = [[]];
  values.forEach((value, k) => { if (kind === "heading" && k && Math.abs(value - values[k - 1]) > 180) pieces.push([]); pieces[pieces.length - 1].push([plot.toX(run.t[k]), plot.toY(value)]); });
  pieces.forEach((points) => line(plot.pen, points, colour("path"), 1.8));
  plot.pen.fillStyle = colour("soft"); plot.pen.textAlign = "left"; plot.pen.fillText(chart.text, plot.left + 2, 11);
  cursor(plot, state.time, values[poseAt(run, state.time).index]);
}
function drawCharts() { drawDistance(); Object.keys(charts).forEach(drawStrip); }
function showStrip(kind, isOn) {
  byId(`strip-${kind}`).hidden = !isOn; document.querySelector(`[data-chart="${kind}"]`).setAttribute("aria-pressed", String(isOn)); redraw();
}
for (const kind of Object.keys(charts)) {
  document.querySelector(`[data-chart="${kind}"]`).addEventListener("click", () => showStrip(kind, byId(`strip-${kind}`).hidden));
  byId(`strip-${kind}`).addEventListener("click", (event) => goToClick(event, charts[kind].plot));
}
function drawSpaceView() {
  if (byId("space").hidden || !state.test) return;
  drawSpace();
  // What the planner sees and thinks, over the scene.
  const moment = sees.moment, canvas = byId("space"), pen = canvas.getContext("2d"), look = projector(canvas.clientWidth, canvas.clientHeight);
  if (!moment) return;
  const flat = (point) => look(...point).slice(0, 2);
  pen.globalAlpha = 0.5;
  moment.parents.forEach((parent, k) => { if (k && parent >= 0) line(pen, [flat(moment.tree[k]), flat(moment.tree[parent])], colour("soft"), 0.8); });
  pen.fillStyle = colour("ink"); moment.points.forEach((point) => { const [x, y] = flat(point); pen.fillRect(x - 1, y - 1, 2, 2); });
  pen.globalAlpha = 1; line(pen, moment.path.map(flat), colour("accent"), 2, [1, 4]);
}
watchers.splice(watchers.indexOf(drawDistance), 1, drawCharts);
watchers.splice(watchers.indexOf(drawSpace), 1, drawSpaceView);

function showTime() {
  const { run } = state;
  if (!run) return;
  const pose = poseAt(run, state.time);
  showSlider(`${number(state.time, 1)} s · ${number(run.speed[pose.index], 1)} m/s · height ${number(pose.z, 1)} m · distance ${pose.distance === null ? "–" : `${number(pose.distance)} m`}`);
  redraw(); askMoment();
}
byId("look").addEventListener("click", () => {
  const isSpace = byId("space").hidden;
  byId("space").hidden = !isSpace; byId("map").toggleAttribute("hidden", isSpace); byId("map").style.display = isSpace ? "none" : "";
  byId("look").setAttribute("aria-pressed", String(isSpace));
  if (isSpace && state.test) lookAtFlight();
  redraw();
});
