// Puts the page together.
function showTime() {
  if (!state.run) return;
  const pose = poseAt(state.run, state.time);
  showSlider(`${number(state.time, 1)} s · height ${number(pose.z, 1)} m · distance ${metres(pose.distance)}`);
  redraw();
}

function chooseRun(index) {
  state.run = state.test.runs[index];
  const { run } = state, said = run.evidence.charAt(0).toUpperCase() + run.evidence.slice(1);
  state.time = run.nearest ? run.nearest.t : run.t[0];
  byId("flight-sentence").textContent = `${said} (backend ${run.backend}, seed ${run.seed}): ${run.sentence}`;
  byId("map").setAttribute("aria-label", `Map of ${run.label} of test ${testNumber(state.test)}. ${run.sentence}`);
  showTime();
}

const download = ([path, text]) => element("a", { href: path.split("/").map(encodeURIComponent).join("/"), download: "" }, text);
function choose(test) {
  state.test = test; play(false);
  byId("detail").hidden = false;
  byId("h-flight").textContent = `Test ${testNumber(test)}: ${test.title}`;
  byId("run").replaceChildren(...test.runs.map((run, k) => element("option", { value: k }, `${run.label}: ${metres(run.distance_m)}`)));
  byId("test-files").replaceChildren("Download: ", ...test.files.flatMap((file, k) => k ? [" · ", download(file)] : [download(file)]));
  byId("fly-again").textContent = test.fly_again;
  const facts = [...(test.mechanism ? [["How it fails", test.mechanism]] : []), ["Drawn runs", test.counts], ["Expected score", number(test.value)], ["Points if it fails", number(test.points_if_failing)], ["Failure probability", test.failure_probability === null ? "uncalibrated: see the runs" : probability(test.failure_probability)],
    ...(test.distance_interval ? [["A real flight's distance", `${test.distance_interval.text}${test.distance_interval.doubt ? ` (not guaranteed: ${test.distance_interval.doubt})` : ""}`]] : []),
    ["Evidence", confirmedText(test)], ["Length of the flight", `${number(test.duration_s, 0)} s`], ["Overlap with the most similar test", percent(test.nearest_iou)], ["Evaluation number", String(test.number)],
    ["Scenario", test.scenario_id]];
  if (test.unvalidated) facts.push(["Validity", test.unvalidated]);
  if (test.checked_distances_m.length) facts.push(["Distance when checked over ROS topics", metres(mean(test.checked_distances_m))]);
  for (const finding of test.findings) facts.push([`${finding.violated ? "Violated" : "Requirement"}: ${finding.name}`, finding.sentence]);
  if (test.held_out) facts.push(["Held-out seeds and presets", `${test.held_out.failure_probability === null ? `too close in ${test.held_out.too_close} of ${test.held_out.flights} flights` : `fails with ${probability(test.held_out.failure_probability)}, ${number(test.held_out.expected_points)} points`}, on ${test.held_out.presets_failing} of ${test.held_out.presets} presets${test.held_out.fragile ? " (fragile)" : ""}${test.held_out.robust === null ? "" : test.held_out.robust ? ", also in wind" : ", not with and without wind"}`]);
  if (test.repeated) facts.push(["Repeated predictions", test.repeated.sentence]);
  if (test.repeated_confirmation) facts.push([test.confirms ? "Repeated confirming flights" : "Repeated checks over ROS topics", test.repeated_confirmation.sentence]);
  byId("facts").replaceChildren(...facts.map(([name, value]) => element("div", { class: name.startsWith("Repeated") ? "long" : "" }, element("dt", {}, name), element("dd", {}, value))));
  const address = `#test-${testNumber(test)}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  fillTable(); chooseRun(0); lookAtFlight(); redraw(); drawMatrix(); drawOverlay();
}
// The test that the address names, else the first one.
function testOfAddress() { return tests.find((test) => location.hash === `#test-${testNumber(test)}`); }
window.addEventListener("hashchange", () => { const test = testOfAddress(); if (test && test !== state.test) choose(test); });

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
byId("downloads").replaceChildren("Beside this page: ", ...data.downloads.flatMap(([path, text], k) => [k ? " · " : "", download([path, path]), ` (${text})`]));
rows("settings", data.settings); rows("versions", data.versions);
buildTable(); fillTable(); buildGenerations(); buildMechanisms();
byId("formula").addEventListener("input", redraw);

byId("run").addEventListener("input", (event) => chooseRun(+event.target.value));
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || event.target.matches("input:not([type=range]), select, button, summary, a")) return;
  event.preventDefault(); play(!state.playing);
});
function look(isSpace) {
  for (const [id, on] of [["look-map", !isSpace], ["look-space", isSpace]]) byId(id).setAttribute("aria-pressed", String(on));
  byId("views").dataset.shown = isSpace ? "space" : "map"; redraw();
}
byId("look-map").addEventListener("click", () => look(false)); byId("look-space").addEventListener("click", () => look(true));

const dark = window.matchMedia("(prefers-color-scheme: dark)");
function theme(isDark) { document.documentElement.dataset.theme = isDark ? "dark" : "light"; drawAll(); }
byId("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
dark.addEventListener("change", (event) => theme(event.matches));
window.addEventListener("resize", drawAll);
theme(dark.matches);
if (tests.length) choose(testOfAddress() || tests[0]);
document.documentElement.dataset.ready = "yes";
