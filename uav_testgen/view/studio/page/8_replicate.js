// Replicate: drop a flight log and its plan, and watch the search for the obstacles that explain it.
function replicateForm(start) {
  const given = { log: null, plan: null, shown: null }, notes = element("p", { class: "quiet" }), canvas = element("canvas", { class: "log-map", role: "img", "aria-label": "Path of the log" });
  const name = textEntry("Folder", freeName("replica"), { maxlength: 80, required: "" }), budget = countEntry("Evaluations at most", 200, 1, 100000), runs = countEntry("Flights per evaluation", 5, 1, 1000), obstacles = countEntry("Obstacles", null, 1, 20, "empty: as many as the log names, or one", "from the log"), seed = countEntry("Seed", 1, 0), cut = element("input", { type: "checkbox" }), system = systemEntry(true, "");
  const draw = () => drawTracks(canvas, given.shown && { log: given.shown.log, route: given.shown.route });
  const drop = dropEntry("replicate-drop", "Drop a flight log (.ulg) and its plan (.plan) here", ".ulg,.plan", async (files) => {
    for (const file of files) {
      const kind = /\.ulg$/i.test(file.name) ? "log" : /\.plan$/i.test(file.name) ? "plan" : null;
      if (!kind) throw new Error(`${file.name}: a flight log (.ulg) or a plan (.plan) is expected`);
      given[kind] = await upload(file);
    }
    drop.show(["log", "plan"].filter((kind) => given[kind]).map((kind) => given[kind]));
    if (!given.log) return;
    try {
      given.shown = await ask(`/api/replicate/log?path=${encodeURIComponent(given.log)}${given.plan ? `&plan=${encodeURIComponent(given.plan)}` : ""}`);
    } catch (error) { given.log = null; throw error; }
    cut.checked = given.shown.ends_in_air; canvas.hidden = false; draw();
    notes.textContent = [`${given.shown.duration_s} s of a ${given.shown.vehicle}${given.shown.ends_in_air ? "; the log ends in the air" : ""}.`, ...given.shown.notes].join(" ");
  });
  canvas.hidden = true;
  return startForm("Find the obstacles behind a flight", [element("div", { class: "whole" }, drop.node, notes, canvas), name.node, budget.node, runs.node, obstacles.node, seed.node, element("label", { class: "check" }, cut, "Match a log that ends in the air"), system.node], "Start replication", async () => {
    if (!given.log) throw new Error("Drop a flight log (.ulg) first.");
    await start("replication", name.value(), without({ log: given.log, plan: given.plan, budget: budget.value(), runs: runs.value(), obstacles: obstacles.value(), seed: seed.value(), accept_cut: cut.checked || undefined, ...system.value() }));
  });
}
// Log, seed and best so far on one map; obstacles of the best so far.
function drawTracks(canvas, found) {
  const { pen, width, height } = sheet(canvas);
  if (!found?.log || !width) return;
  const tracks = [found.log, found.best?.track, found.seed?.track].filter(Boolean), obstacles = (found.best?.obstacles || []).map(obstacleShown), corners = obstacles.map((one) => outline({ yaw: 0, shape: "box", ...one, yaw: one.yaw || 0, shape: one.shape || "box" }));
  const xs = [...tracks.flatMap((one) => one.x), ...corners.flat().map((p) => p[0]), ...(found.route || []).map((p) => p[0])], ys = [...tracks.flatMap((one) => one.y), ...corners.flat().map((p) => p[1]), ...(found.route || []).map((p) => p[1])];
  const box = [Math.min(...xs) - 3, Math.min(...ys) - 3, Math.max(...xs) + 3, Math.max(...ys) + 3], { to, scale } = mapScale(width, height, box, 18), before = data.arena;
  data.arena = box; drawGround(pen, width, height, box, to, scale); data.arena = before;
  corners.forEach((one) => fillOutline(pen, one.map(([x, y]) => to(x, y)), colour("box-face"), colour("box")));
  line(pen, (found.route || []).map(([x, y]) => to(x, y)), colour("route"), 1.5, [6, 5]);
  const path = (track, style, thick, dash) => track && line(pen, track.x.map((x, k) => to(x, track.y[k])), style, thick, dash);
  path(found.seed?.track, colour("faint"), 1.4, [3, 4]); path(found.log, colour("ink"), 2.4); path(found.best?.track, colour("accent"), 2.4, [8, 4]);
}
function drawConvergence(canvas, found) {
  const values = found.distances || [], top = Math.max(1, ...values.slice().sort((a, b) => a - b).slice(0, Math.ceil(values.length * 0.9))), plot = frame(canvas, { x: [0, Math.max(1, values.length)], y: [0, top * 1.05], xLabel: "evaluation" });
  let best = Infinity; const steps = [];
  values.forEach((value, k) => {
    plot.pen.beginPath(); plot.pen.arc(plot.toX(k + 0.5), plot.toY(Math.min(value, top)), 2.4, 0, 7); plot.pen.fillStyle = colour("faint"); plot.pen.fill();
    if (steps.length) steps.push([plot.toX(k + 0.5), plot.toY(Math.min(best, top))]);
    best = Math.min(best, value); steps.push([plot.toX(k + 0.5), plot.toY(Math.min(best, top))]);
  });
  line(plot.pen, steps, colour("accent"), 2.2);
}
jobRoom({
  name: "replicate", label: "Replicate", order: 50, icon: "M4 17c4 0 4-10 8-10s4 10 8 10M4 7c4 0 4 10 8 10s4-10 8-10", kinds: ["replication"], noun: "replication", title: "Replicate", detail: "/api/replicate",
  sub: "Drop the log of a flight and watch the search converge on obstacles with which the simulated drone flies like the logged one.", empty: "No replication in this folder yet. Drop a flight log to start one.", form: replicateForm,
  view: {
    tiles: (found) => { const values = found.distances || [], best = values.length ? Math.min(...values) : null; return [tile(found.budget ? `${found.evaluated} of ${found.budget}` : found.evaluated, "evaluations at most"), tile(values.length ? `${number(values[0], 1)} m` : "–", "seed to log (DTW)"), tile(best === null ? "–" : `${number(best, 1)} m`, "best so far (DTW)"), tile(values.length && values[0] > 0 ? percent(1 - best / values[0]) : "–", "nearer to the log"), paceTile(found)]; },
    build: (found) => {
      const open = element("button", { type: "button", class: "open-best" }, "Open the best in the editor");
      open.addEventListener("click", () => openTest(found.path, open.dataset.number, open.closest(".card").querySelector(".job-error")));
      return [element("div", { class: "campaign-grid" }, element("figure", {}, element("figcaption", {}, "Paths [m], north up", element("span", {}, "full line: log; dashed: best so far; dotted: seed")), element("canvas", { class: "track-map", role: "img", "aria-label": "Paths of the log, the seed and the best so far" })),
        element("figure", {}, element("figcaption", {}, "Distance to the log [m, DTW]", element("span", {}, "line: best so far")), element("canvas", { class: "convergence", role: "img", "aria-label": "Distance to the log over the evaluations" }))), element("p", { class: "actions" }, open)];
    },
    update(found, box) { drawTracks(box.querySelector(".track-map"), { ...found, route: found.scene ? [found.scene.mission.home_enu_m, ...found.scene.mission.waypoints.map((one) => one.position_enu_m)] : [] }); drawConvergence(box.querySelector(".convergence"), found); const open = box.querySelector(".open-best"); open.disabled = !found.best; open.dataset.number = found.best?.number ?? ""; },
  },
});
