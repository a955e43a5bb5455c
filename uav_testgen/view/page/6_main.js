// Puts the page together.
function showTime() {
  const { run } = state;
  if (!run) return;
  const first = run.t[0], span = run.t[run.t.length - 1] - first, pose = poseAt(run, state.time);
  byId("time").value = String(Math.round(1000 * (state.time - first) / Math.max(1e-9, span)));
  byId("clock").textContent = `${number(state.time, 1)} s · height ${number(pose.z, 1)} m · distance ${number(pose.distance)} m`;
  redraw();
}

function chooseRun(index) {
  state.run = state.test.runs[index];
  const { run } = state;
  state.time = run.nearest ? run.nearest.t : run.t[0];
  byId("flight-sentence").textContent = `${run.prediction ? "Prediction" : "Confirmation"} by backend ${run.backend}, seed ${run.seed}: ${run.sentence}`;
  showTime();
}

function choose(test) {
  state.test = test;
  byId("detail").hidden = false;
  byId("h-flight").textContent = `Test ${test.rank}: ${test.stem}`;
  byId("run").replaceChildren(...test.runs.map((run, k) => element("option", { value: k }, `${run.label}: ${number(run.distance_m)} m`)));
  const facts = [["Expected score", number(test.value)], ["Points if it fails", number(test.points_if_failing)], ["Failure probability", test.failure_probability === null ? "uncalibrated: see the runs" : percent(test.failure_probability)],
    ["Confirmation", confirmedText(test)], ["Nearest other test, obstacle overlap", percent(test.nearest_iou)], ["Evaluation number", String(test.number)],
    ["Scenario", test.scenario_id], ["Test file", `tests/${test.stem}.yaml`]];
  for (const finding of test.findings) facts.push([`${finding.violated ? "Violated" : "Requirement"}: ${finding.name}`, finding.sentence]);
  if (test.repeated) facts.push(["Repeated predictions", test.repeated.sentence]);
  if (test.repeated_confirmation) facts.push(["Repeated confirming flights", test.repeated_confirmation.sentence]);
  byId("facts").replaceChildren(...facts.map(([name, value]) => element("div", { class: name.startsWith("Repeated") ? "long" : "" }, element("dt", {}, name), element("dd", {}, value))));
  fillTable(); chooseRun(0); lookAtFlight(); redraw(); drawMatrix(); drawOverlay();
}

function rows(table, pairs) {
  byId(table).replaceChildren(...pairs.map(([name, value]) => element("tr", {}, element("td", {}, name), element("td", {}, value))));
}

function drawAll() { redraw(); drawProgress(); drawGenerations(); drawMatrix(); drawOverlay(); }

byId("lede").textContent = data.lede;
byId("tiles").replaceChildren(...data.tiles.map(([value, text, bad]) => element("div", { class: bad ? "tile bad" : "tile" }, element("b", {}, value), element("span", {}, text))));
if (data.notes.length) { byId("notes").hidden = false; byId("notes").replaceChildren(...data.notes.map((note) => element("p", {}, note))); }
byId("command").textContent = data.command;
byId("diversity-text").textContent = data.diversity_text;
byId("legend-note").textContent = data.legend;
rows("settings", data.settings); rows("versions", data.versions);
buildTable(); fillTable(); buildGenerations();

byId("run").addEventListener("input", (event) => chooseRun(+event.target.value));
byId("time").addEventListener("input", (event) => {
  const { t } = state.run; state.time = t[0] + event.target.value / 1000 * (t[t.length - 1] - t[0]); showTime();
});
byId("distance").addEventListener("click", (event) => {
  if (!distancePlot || !state.run) return;
  const { t } = state.run, { left, right, width } = distancePlot;
  state.time = t[0] + clamp((event.offsetX - left) / (width - left - right), 0, 1) * (t[t.length - 1] - t[0]); showTime();
});
let before = 0;
function tick(now) {
  if (!state.playing) return;
  const { t } = state.run, end = t[t.length - 1];
  // Ten times as fast as the flight: a mission takes some ten seconds.
  state.time = Math.min(end, state.time + 0.01 * (now - before)); before = now;
  if (state.time >= end) play(false);
  showTime(); requestAnimationFrame(tick);
}
function play(on) {
  state.playing = on; byId("play").textContent = on ? "Pause" : "Play";
  if (!on || !state.run) return;
  const { t } = state.run; if (state.time >= t[t.length - 1]) state.time = t[0];
  before = performance.now(); requestAnimationFrame(tick);
}
byId("play").addEventListener("click", () => play(!state.playing));

const dark = window.matchMedia("(prefers-color-scheme: dark)");
function theme(isDark) { document.documentElement.dataset.theme = isDark ? "dark" : "light"; drawAll(); }
byId("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
dark.addEventListener("change", (event) => theme(event.matches));
window.addEventListener("resize", drawAll);
theme(dark.matches);
if (tests.length) choose(tests[0]);
document.documentElement.dataset.ready = "yes";
