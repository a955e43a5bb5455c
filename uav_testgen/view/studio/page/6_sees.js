// Why did it go there? Depth image, cost matrix, tree and chosen direction at the moment of the time line.
const sees = { key: null, count: 0, dt: 0.1, moment: null, asked: null, busy: false, error: "", isWanted: false };

function forgetRecording() { sees.key = null; sees.moment = null; sees.error = ""; if (sees.isWanted && !byId("pane-sees").hidden) showSees(); }
async function recordFlight() {
  if (sees.busy) return;
  sees.busy = true; sees.error = ""; sees.isWanted = true; showSees();
  const number = link.number;
  try {
    const found = await ask("/api/record", { scene: scene.now, system: scene.system });
    if (number === link.number) Object.assign(sees, { key: found.key, count: found.count, dt: found.dt_s });
  } catch (error) { sees.error = error.message; }
  sees.busy = false; showSees(); askMoment();
}
// The newest moment wins; one request at a time.
async function askMoment() {
  if (!sees.key || sees.asking) return;
  const index = clamp(Math.round(state.time / sees.dt), 0, sees.count - 1);
  if (sees.moment && sees.moment.index === index) return;
  sees.asking = true;
  try { sees.moment = await ask(`/api/record/${sees.key}/${index}`); } catch (error) { sees.error = error.message; sees.key = null; }
  sees.asking = false;
  showSees(); drawEditor(); drawSpaceView(); askMoment();
}

function seenParts() {
  const { moment } = sees;
  if (!moment || flown.isStale) return [];
  const parts = [], [x, y] = moment.position, half = 0.515, reach = moment.far_m;
  parts.push(svgNode("polygon", { class: "view", points: spots([[x, y], ...[-1, -0.5, 0, 0.5, 1].map((u) => [x + reach * Math.cos(moment.yaw + u * half), y + reach * Math.sin(moment.yaw + u * half)])]) }));
  moment.parents.forEach((parent, k) => { if (k && parent >= 0) { const [[x1, y1], [x2, y2]] = [toScreen(...moment.tree[k]), toScreen(...moment.tree[parent])]; parts.push(svgNode("line", { class: "tree", x1, y1, x2, y2 })); } });
  for (const point of moment.points.filter((_, k) => k % Math.ceil(moment.points.length / 400) === 0)) { const [px, py] = toScreen(...point); parts.push(svgNode("rect", { class: "seen", x: px - 1, y: py - 1, width: 2, height: 2 })); }
  if (moment.path.length > 1) parts.push(svgNode("polyline", { class: "chosen-path", points: spots(moment.path) }));
  return parts;
}

// Light to dark by share 0..1, readable without colour.
function shade(share, isDark) { const level = Math.round(isDark ? 40 + 200 * share : 245 - 205 * share); return `rgb(${level},${level},${Math.min(255, level + 8)})`; }
function raster(canvas, rows, columns, value) {
  const { pen, width, height } = sheet(canvas), w = width / columns, h = height / rows;
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
    const style = value(row, column); if (style) { pen.fillStyle = style; pen.fillRect(column * w, row * h, w + 0.6, h + 0.6); }
  }
  return { pen, width, height, w, h };
}
function drawDepth() {
  const { depth, far_m: far } = sees.moment, isDark = document.documentElement.dataset.theme === "dark";
  const { pen, width, height } = raster(byId("depth"), depth.length, depth[0].length, (row, column) => depth[row][column] < 0 ? null : shade(1 - Math.min(1, depth[row][column] / far), isDark));
  if (depth.every((row) => row.every((value) => value < 0))) { pen.fillStyle = colour("soft"); pen.textAlign = "center"; pen.textBaseline = "middle"; pen.fillText(`nothing within ${number(far, 0)} m in view`, width / 2, height / 2); }
}
// Rows are elevations from below to above, columns azimuths clockwise from north as the planner counts them.
function drawCosts() {
  const { costs, candidates, chosen, to_goal: goal, cell_deg: cell, yaw } = sees.moment, isDark = document.documentElement.dataset.theme === "dark";
  if (!costs) { sheet(byId("costs")); return; }
  const known = costs.flat().filter((value) => value !== null).sort((a, b) => a - b), low = known[0], high = known[Math.floor(0.95 * known.length)];
  const { pen, w, h } = raster(byId("costs"), costs.length, costs[0].length, (row, column) => {
    const value = costs[costs.length - 1 - row][column]; return value === null ? null : shade(Math.sqrt(clamp((value - low) / Math.max(1e-9, high - low), 0, 1)), isDark);
  });
  const spot = (elevation, azimuth) => [((azimuth + 180) / cell) * w, (costs.length - (elevation + 90) / cell) * h];
  const ring = ({ elevation_deg: up, azimuth_deg: around }, size, width, isFull) => { const [x, y] = spot(up, around); pen.beginPath(); pen.arc(x, y, size, 0, 7); pen.strokeStyle = colour("accent"); pen.lineWidth = width; pen.stroke(); if (isFull) { pen.fillStyle = colour("accent"); pen.fill(); } };
  candidates.forEach((one, k) => ring(one, k ? 3 : 5.5, k ? 1.2 : 2.6));
  if (chosen) ring(chosen, 3.2, 1, true);
  if (goal) { const [x, y] = spot(goal.elevation_deg, goal.azimuth_deg); for (const [u, v] of [[1, 1], [1, -1]]) line(pen, [[x - 5 * u, y - 5 * v], [x + 5 * u, y + 5 * v]], colour("ink"), 2.2); }
  const heading = ((90 - yaw * 180 / Math.PI + 540) % 360) - 180, [x] = spot(0, heading);
  line(pen, [[x, 0], [x, byId("costs").clientHeight]], colour("ink"), 1, [3, 3]);
}
const whole = (value) => value === null ? "–" : Math.round(value).toLocaleString("en").replaceAll(",", "\u202f");
const bearing = ({ azimuth_deg: around, elevation_deg: up }) => `${Math.round((around + 360) % 360) % 360}°, ${Math.round(up) ? `${Math.abs(Math.round(up))}° ${up < 0 ? "down" : "up"}` : "level"}`;
function decisionText({ chosen, to_goal: goal, planned }) {
  if (!planned || !chosen || !goal) return "No new plan in this step: it follows the last one.";
  if (Math.abs(((chosen.azimuth_deg - goal.azimuth_deg + 540) % 360) - 180) < 12) return "It flies straight to the goal: no direction is cheaper.";
  const side = ((chosen.azimuth_deg - goal.azimuth_deg + 540) % 360) - 180, turn = `${Math.round(Math.abs(side))}° ${side > 0 ? "right" : "left"} of the goal`;
  return goal.obstacles > chosen.obstacles ? `It turns ${turn}: the straight way costs ${whole(goal.cost)}, of which obstacles there and beside it make ${whole(goal.obstacles)}; the way it took costs ${whole(chosen.cost)}.`
    : `It flies ${turn}: the way it took costs ${whole(chosen.cost)}, the straight one ${whole(goal.cost)}.`;
}
function showSees() {
  const box = byId("pane-sees");
  if (box.hidden) return;
  const { moment } = sees;
  if (!moment) {
    const button = element("button", { type: "button", class: "primary" }, sees.busy ? "Recording…" : "Record this flight"); button.disabled = sees.busy || !state.run; button.addEventListener("click", recordFlight);
    box.replaceChildren(element("p", { class: "quiet" }, "Fly the nominal run once more, step by step, and record what the camera saw and what the planner computed. This takes some seconds, up to a minute for a long flight; then move along the time line."), element("p", {}, button), ...(sees.error ? [element("p", { class: "error", role: "alert" }, sees.error)] : []));
    return;
  }
  if (!byId("depth")) {
    box.replaceChildren(element("p", { id: "moment-text", class: "quiet" }), element("h3", {}, "Why did it go there?"), element("p", { id: "decision" }),
      element("figure", {}, element("figcaption", {}, "Depth image", element("span", { class: "shade-word", "data-word": "nearer" })), element("canvas", { id: "depth", role: "img" }), element("p", { class: "legend scale" }, element("span", {}, "0 m"), element("i", {}), element("span", { id: "far" }))),
      element("figure", {}, element("figcaption", {}, "Costs of directions", element("span", { class: "shade-word", "data-word": "dearer" })), element("canvas", { id: "costs", role: "img" }), element("p", { class: "legend" }, element("span", {}, "south"), element("span", {}, "west"), element("span", {}, "north"), element("span", {}, "east"), element("span", {}, "south"))),
      element("p", { class: "quiet" }, "Thick ring: the cheapest direction; thin rings: the next ones; dot: the way it took; cross: straight to the goal; dashed line: heading."),
      element("h3", {}, "The costs that decided"), element("div", { class: "table-scroll whole" }, element("table", { class: "list", id: "candidates" })),
      element("p", { class: "quiet" }, "On the map: view, points seen (dots), search tree (thin lines) and chosen path (dotted)."));
  }
  // The rasters stand out from the page: dark on light, light on dark.
  for (const one of box.querySelectorAll(".shade-word")) one.textContent = `${document.documentElement.dataset.theme === "dark" ? "brighter" : "darker"} is ${one.dataset.word}`;
  byId("moment-text").textContent = `${number(moment.t_s, 1)} s, ${moment.phase}: ${moment.planned ? `${moment.parents.length} nodes in the tree, ${moment.points.length} points seen` : "no new plan in this step"}.`;
  byId("far").textContent = `${number(moment.far_m, 0)} m`;
  byId("decision").textContent = decisionText(moment);
  const rows = [["took", moment.chosen], ["to the goal", moment.to_goal], ...moment.candidates.slice(0, 5).map((one, k) => [k ? `${k + 1}.` : "cheapest", one])].filter(([, one]) => one);
  byId("candidates").replaceChildren(element("thead", {}, element("tr", {}, ...["Direction", "Cost", "Way", "Obstacles"].map((head, k) => element("th", { scope: "col", class: k ? "num" : "" }, head)))),
    element("tbody", {}, ...rows.map(([word, one]) => element("tr", {}, element("td", {}, word, element("small", {}, bearing(one))), ...[one.cost, one.way, one.obstacles].map((value) => element("td", { class: "num" }, whole(value)))))));
  const near = Math.min(...moment.depth.flat().filter((value) => value >= 0));
  byId("depth").setAttribute("aria-label", `Depth image after ${number(moment.t_s, 1)} s: ${Number.isFinite(near) ? `nearest ${number(near, 1)} m` : "nothing in view"}`);
  byId("costs").setAttribute("aria-label", `Costs of all directions. ${decisionText(moment)}`);
  drawDepth(); drawCosts();
}
