// Fidelity: predicted against recorded distances; a click shows both paths.
function fidelityForm(start) {
  const name = textEntry("Folder", freeName("fidelity"), { maxlength: 80, required: "" }), records = choiceEntry("Recorded flights", [["", [["sample", "eight shipped flights"]]]], "sample"), runs = countEntry("Drawn runs each", 5, 1, 1000), every = countEntry("Use every n-th record", 1, 1, 100000), seed = countEntry("Seed", 1, 0), system = systemEntry(true, "");
  let asked = 0;
  // The answer to an older question must not take back what was chosen since.
  const list = async (wanted) => { const turn = asked += 1, found = await ask("/api/fidelity/records"); if (turn !== asked) return; records.input.replaceChildren(...optionsOf(found.records.map((one) => [one.name, one.label]))); if (wanted) records.input.value = wanted; };
  list().catch(() => { /* the sample stays */ });
  const drop = dropEntry("fidelity-drop", "Drop recorded flights (.jsonl) here", ".jsonl", async (files) => { const taken = []; for (const file of files) taken.push(await upload(file)); drop.show(taken); await list(taken[0]); });
  return startForm("Compare predictions with recorded flights", [element("div", { class: "whole" }, drop.node, element("p", { class: "quiet" }, "One flight a line: mission, obstacles, the measured least distance and, if known, the path. Folders with flights.jsonl or layouts.jsonl in the studio's folder can be chosen, too.")), name.node, records.node, runs.node, every.node, seed.node, system.node], "Start comparison", () => start("fidelity", name.value(), without({ records: records.value(), runs: runs.value(), every: every.value(), seed: seed.value(), ...system.value() })));
}
const fidelity = { chosen: null, pair: null };
const FAR_M = 7;
function scatterPlot(box, found) {
  const svg = box.querySelector(".scatter"), size = 420, pad = 44, top = clamp(Math.max(3, ...found.rows.flatMap((one) => [one.measured_m, one.predicted_m])), 3, FAR_M), place = (value) => pad + clamp(value, 0, top) / top * (size - pad - 16), up = (value) => size - place(value);
  renew(svg, [found.rows.length, found.rows[0]?.predicted_m, fidelity.chosen], () => {
    const parts = [];
    for (let value = 0; value <= top + 1e-9; value += 1) parts.push(svgNode("line", { class: "grid", x1: place(value), x2: place(value), y1: up(0), y2: up(top) }), svgNode("line", { class: "grid", x1: place(0), x2: place(top), y1: up(value), y2: up(value) }), svgNode("text", { x: place(value), y: size - pad + 16, "text-anchor": "middle" }, value), svgNode("text", { x: pad - 8, y: up(value) + 4, "text-anchor": "end" }, value));
    parts.push(svgNode("line", { class: "equal", x1: place(0), y1: up(0), x2: place(top), y2: up(top) }));
    for (const [x1, y1, x2, y2] of [[1.5, 0, 1.5, top], [0, 1.5, top, 1.5]]) parts.push(svgNode("line", { class: "limit", x1: place(x1), y1: up(y1), x2: place(x2), y2: up(y2) }));
    parts.push(svgNode("text", { x: size - 16, y: size - 8, "text-anchor": "end" }, "recorded least distance [m]"), svgNode("text", { x: pad, y: 11 }, "predicted [m]"));
    found.rows.forEach((one) => {
      const label = `${one.id}: recorded ${number(one.measured_m)} m, predicted ${number(one.predicted_m)} m`, point = svgNode("circle", { class: `point${one.id === fidelity.chosen ? " chosen" : ""}`, cx: place(one.measured_m), cy: up(one.predicted_m), r: found.rows.length > 100 ? 4 : 7, tabindex: 0, role: "button", "aria-label": label, "data-id": one.id }, svgNode("title", {}, label));
      const choose = () => showPair(box, found.path, one.id);
      point.addEventListener("click", choose); point.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } });
      parts.push(point);
    });
    return parts;
  });
}
async function showPair(box, path, id) {
  fidelity.chosen = id; fidelity.pair = null;
  for (const point of box.querySelectorAll(".point")) point.classList.toggle("chosen", point.dataset.id === id);
  const text = box.querySelector(".pair-text"); text.textContent = `${id}: flying…`; drawPair(box);
  try {
    fidelity.pair = await ask(`/api/fidelity/pair?path=${encodeURIComponent(path)}&id=${encodeURIComponent(id)}`);
    if (fidelity.chosen !== id) return;
    text.textContent = `${id}: recorded ${number(fidelity.pair.measured_m)} m, predicted ${number(fidelity.pair.predicted_m)} m.`; box.querySelector(".open-pair").disabled = false; drawPair(box);
  } catch (error) { text.textContent = ""; report(box.querySelector(".job-error"), error); }
}
function drawPair(box) {
  const { pair } = fidelity, canvas = box.querySelector(".pair-map");
  if (!pair) { const { pen, width, height } = sheet(canvas); pen.fillStyle = colour("faint"); pen.textAlign = "center"; pen.fillText(fidelity.chosen ? "flying…" : "Click a point: both paths appear here", width / 2, height / 2); return; }
  const tracks = [pair.recorded, pair.predicted], places = tracks.flatMap((one) => one.x.map((x, k) => [x, one.y[k]]));
  missionMap(canvas, pair.scene, (pen, to) => {
    pair.scene.obstacles.forEach((one) => fillOutline(pen, outline(obstacleShown(one)).map(([x, y]) => to(x, y)), colour("box-face"), colour("box")));
    line(pen, pair.recorded.x.map((x, k) => to(x, pair.recorded.y[k])), colour("ink"), 2.4); line(pen, pair.predicted.x.map((x, k) => to(x, pair.predicted.y[k])), colour("accent"), 2.2, [8, 4]);
  }, places.filter((_, k) => k % 5 === 0));
}
function drawReliability(canvas, rows) {
  const plot = frame(canvas, { x: [0, 1], y: [0, 1], xLabel: "predicted probability" }), told = rows.filter((one) => one.n);
  line(plot.pen, [[plot.toX(0), plot.toY(0)], [plot.toX(1), plot.toY(1)]], colour("faint"), 1.2, [4, 4]);
  line(plot.pen, told.map((one) => [plot.toX(one.predicted), plot.toY(one.observed)]), colour("accent"), 2);
  told.forEach((one) => { const x = plot.toX(one.predicted), y = plot.toY(one.observed); plot.pen.beginPath(); plot.pen.arc(x, y, 4.5, 0, 7); plot.pen.fillStyle = colour("accent"); plot.pen.fill(); plot.pen.fillStyle = colour("soft"); plot.pen.textAlign = x > plot.width / 2 ? "right" : "left"; const place = [`n = ${one.n}`, x + (x > plot.width / 2 ? -9 : 9), y + (y < plot.height / 2 ? 16 : -8)]; plot.pen.strokeStyle = colour("card"); plot.pen.lineWidth = 4; plot.pen.strokeText(...place); plot.pen.fillText(...place); });
}
jobRoom({
  name: "fidelity", label: "Fidelity", order: 70, icon: "M4 20V4M4 20h16M8 15.5h.01M11 12h.01M14 13h.01M16 8h.01M19 6h.01", kinds: ["fidelity"], noun: "comparison", title: "Fidelity", detail: "/api/fidelity",
  sub: "How close predictions come to flights that were really flown. Click a point to see both paths.", empty: "Nothing compared yet. Comparing the shipped flights takes about a minute.", form: fidelityForm,
  view: {
    tiles: (found) => { const all = found.figures; return all ? [tile(all.n, "flights"), tile(`${number(all.median_abs_error_m)} m`, "median error of the distance"), tile(all.median_path_error_m === null ? "–" : `${number(all.median_path_error_m)} m`, "median error of the path"), tile(percent(all.same_side), "passed on the same side"), tile(all.auc_1_5m === null ? "–" : number(all.auc_1_5m), all.auc_1_5m === null ? "AUC: needs flights above and below 1.5 m" : "AUC: tells failing (below 1.5 m) from passing")] : [tile(stateWords[found.state], "state")]; },
    build: () => {
      fidelity.chosen = fidelity.pair = null;
      const open = element("button", { type: "button", class: "open-pair", disabled: "" }, "Open its scene in the editor");
      open.addEventListener("click", () => { if (fidelity.pair && allowLeaving()) openScene(fidelity.pair.scene, null, null); });
      return [element("div", { class: "fidelity-grid" }, element("figure", {}, element("figcaption", {}, "Distance, predicted against recorded", element("span", {}, "dashed: 1.5 m")), svgNode("svg", { class: "scatter", viewBox: "0 0 420 420", role: "group", "aria-label": "Each point is one flight" })),
        element("figure", {}, element("figcaption", {}, "Both paths [m], north up", element("span", {}, "solid: recorded; dashed: predicted")), element("canvas", { class: "pair-map", role: "img", "aria-label": "Recorded and predicted path of the chosen flight" }), element("p", { class: "quiet pair-text", role: "status" }), element("p", { class: "actions" }, open)),
        element("figure", {}, element("figcaption", {}, "Reliability", element("span", {}, "observed share of flights below 1.5 m")), element("canvas", { class: "reliability", role: "img", "aria-label": "Observed share against predicted probability" })))];
    },
    update(found, box) { box.querySelector(".fidelity-grid").hidden = !found.rows.length; if (!found.rows.length) return; scatterPlot(box, found); drawPair(box); drawReliability(box.querySelector(".reliability"), found.figures.reliability); },
  },
});
