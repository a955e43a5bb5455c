// Long jobs: one room for each group of kinds, all with the same list, orders and state. A job is a folder that the command line
// writes and resumes; the page only reads it and sends orders.
const stateWords = { running: "▶ running", stopping: "… stopping", reporting: "▶ writing the report", confirming: "▶ flying again", finished: "✓ finished", paused: "Ⅱ paused", stopped: "■ stopped" };
const kindWords = { campaign: "search", study: "generators", comparison: "algorithms", planners: "planners", replication: "replication", fidelity: "fidelity", explain: "why", minimise: "simplest", certify: "how likely" };
const unitOf = { campaign: "scenes", study: "runs", comparison: "runs", planners: "scenes", replication: "evaluations", certify: "flights" };
const isBusy = (state) => ["running", "stopping", "reporting", "confirming"].includes(state);
const REFRESH_MS = 1000;

function freeName(word) { const now = new Date(), two = (value) => String(value).padStart(2, "0"); return `${word}-${two(now.getMonth() + 1)}${two(now.getDate())}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`; }
function duration(seconds) { return seconds > 5400 ? `${number(seconds / 3600, 1)} h` : seconds > 90 ? `${Math.round(seconds / 60)} min` : `${Math.max(1, Math.round(seconds))} s`; }
function tile(value, text, isBad) { return element("div", { class: isBad ? "tile bad" : "tile" }, element("b", {}, value), element("span", {}, text)); }
function tableOf(heads, rows, textColumns = [0]) {
  return [element("thead", {}, element("tr", {}, ...heads.map((head, k) => element("th", { class: textColumns.includes(k) ? "" : "num", scope: "col" }, head)))), element("tbody", {}, ...rows)];
}
function row(cells, textColumns = [0]) { return element("tr", {}, ...cells.map((cell, k) => element("td", { class: textColumns.includes(k) ? "name" : "num" }, cell))); }
// Replace the content of a node only when what it is made from changed: a click is never lost between two looks.
function renew(node, key, make) { const text = JSON.stringify(key); if (node.dataset.key === text) return; node.dataset.key = text; node.replaceChildren(...make()); }
const openButton = (label, act) => { const button = element("button", { type: "button", "aria-label": label }, "Open"); button.addEventListener("click", act); return button; };

// { name, label, order, icon, title, sub, kinds, empty, detail (address), form(start) -> node, view { build(found) -> nodes, update(found, box) } }
function jobRoom(room) {
  const now = { path: null, timer: null, found: null, box: null, turn: 0 };
  const trouble = element("p", { class: "error", role: "alert", hidden: "" }), list = element("div", { class: "job-list", role: "list" }), main = element("div", { class: "job-main" });
  const fresh = element("button", { type: "button", class: "primary job-new" }, `New ${room.noun}`);
  fresh.addEventListener("click", () => go(room.name));
  const start = async (kind, name, settings) => { const { path } = await ask("/api/jobs", { kind, name, settings }); go(room.name, path); };

  async function refresh() {
    clearTimeout(now.timer);
    const turn = ++now.turn;
    try {
      const { jobs } = await ask("/api/jobs"), own = jobs.filter((one) => room.kinds.includes(one.kind));
      const found = now.path ? await ask(`${room.detail || "/api/job"}?path=${encodeURIComponent(now.path)}`) : null;
      if (turn !== now.turn || !isShown(room.name)) return;
      report(trouble, null); showList(own);
      if (found) showFound(found);
    } catch (error) { if (turn !== now.turn) return; report(trouble, error); }
    if (isShown(room.name)) now.timer = setTimeout(refresh, REFRESH_MS);
  }
  function showList(jobs) {
    fresh.classList.toggle("chosen", !now.path);
    renew(list, [jobs.map((one) => [one.path, one.state, one.evaluated, one.budget, one.failures, one.trouble]), now.path], () => jobs.length ? jobs.map((one) => {
      const share = one.budget ? clamp(one.evaluated / one.budget, 0, 1) : one.state === "finished" ? 1 : 0;
      const button = element("button", { type: "button", class: "job-item", "aria-label": `Show ${one.path}`, ...(one.path === now.path ? { "aria-current": "true" } : {}) },
        element("b", {}, one.path), element("span", { class: `state-${one.state}` }, stateWords[one.state]), element("small", {}, `${room.kinds.length > 1 ? `${kindWords[one.kind]} · ` : ""}${one.evaluated ? `${one.evaluated}${one.budget ? ` of ${one.budget}` : ""} ${unitOf[one.kind] || "flights"}${one.failures && one.kind !== "replication" ? ` · ${one.failures} fail` : ""}` : one.trouble ? "trouble" : one.state === "finished" ? "complete" : "nothing flown yet"}`));
      const bar = element("i", {}); bar.style.width = `${100 * share}%`; button.append(element("span", { class: "job-bar" }, bar));
      button.addEventListener("click", () => go(room.name, one.path));
      return element("div", { role: "listitem" }, button);
    }) : [element("p", { class: "quiet" }, room.empty)]);
  }
  async function order(what) { const place = main.querySelector(".job-error"); try { await ask(`/api/job/${what}`, { path: now.path }); report(place, null); } catch (error) { report(place, error); } refresh(); }
  function showFound(found) {
    now.found = found;
    if (now.box?.dataset.path !== found.path || now.box?.dataset.kind !== found.kind) {
      now.box = element("section", { class: "card", "data-path": found.path, "data-kind": found.kind }, element("div", { class: "card-head" }, element("div", {}, element("h2", {}, found.path), element("p", { class: "quiet job-phase" })), element("p", { class: "actions job-actions" })),
        element("p", { class: "error job-error", role: "alert", hidden: "" }), element("p", { class: "error job-trouble", role: "status", hidden: "" }), element("section", { class: "tiles job-tiles" }), ...room.view.build(found),
        element("details", { class: "job-shell" }, element("summary", {}, "From the shell"), element("p", { class: "quiet" }, "To resume it from the command line:"), element("pre", { class: "job-command" }), element("p", { class: "quiet" }, "What it said last:"), element("pre", { class: "job-log" })));
      main.replaceChildren(now.box);
    }
    const { box } = now, part = (name) => box.querySelector(`.job-${name}`);
    box.dataset.state = found.state;
    part("phase").replaceChildren(element("span", { class: `state-${found.state}` }, stateWords[found.state]), found.phase ? ` · ${found.phase}` : "");
    report(part("trouble"), found.trouble ? { message: found.trouble } : null);
    renew(part("actions"), [found.state, found.report], () => {
      const made = (text, what, style) => { const button = element("button", { type: "button", class: style || "" }, text); button.addEventListener("click", () => order(what)); return button; };
      const buttons = found.state === "running" ? [made("Pause", "pause"), made("Stop", "stop")] : found.state === "confirming" ? [made("Stop", "pause")] : ["paused", "stopped"].includes(found.state) ? [made("Resume", "resume", "primary")] : [];
      if (found.report) { const open = element("button", { type: "button" }, "Open report"); open.addEventListener("click", () => window.open(found.report, "_blank", "noopener")); buttons.push(open); }
      return buttons;
    });
    renew(part("tiles"), [found.evaluated, found.flights, found.failures, found.best_m, found.flights_per_s, found.state, found.budget, found.distances?.length, found.figures], () => room.view.tiles(found));
    part("command").textContent = found.command || "started from the command line"; part("log").textContent = (found.log_end || (Array.isArray(found.log) ? found.log : [])).join("\n") || "nothing yet";
    room.view.update(found, box);
  }
  registerRoom({
    name: room.name, label: room.label, order: room.order, icon: room.icon,
    mount(box) { box.replaceChildren(element("h1", {}, room.title), element("p", { class: "sub" }, room.sub), trouble, element("div", { class: "job-room" }, element("aside", { class: "job-side", "aria-label": `${room.label} in this folder` }, fresh, list), main)); },
    show(box, rest) {
      now.path = rest || null; now.box = null; fresh.classList.toggle("chosen", !now.path);
      main.replaceChildren(...(now.path ? [element("p", { class: "quiet", role: "status" }, "Loading…")] : [room.form(start)]));
      refresh();
    },
    leave() { clearTimeout(now.timer); now.turn += 1; },
    repaint() { if (now.box && now.found) room.view.update(now.found, now.box); },
  });
}

// Pace and what is left, for the tiles of a search.
function paceTile(found) {
  if (found.state !== "running") return tile(found.generator ? lastPart(found.generator) : stateWords[found.state], found.case ? `generator, on ${found.case}` : "state");
  const left = found.evaluations_per_s > 0 && found.budget ? (found.budget - found.evaluated) / found.evaluations_per_s : null;
  return tile(found.flights_per_s === null ? "…" : `${number(found.flights_per_s, 1)} /s`, left ? `flights; about ${duration(left)} left` : "flights");
}
async function openTest(path, wanted, place, cell) {
  if (!allowLeaving()) return;
  try { const found = await ask(`/api/job/scene?path=${encodeURIComponent(path)}&number=${wanted}${cell ? `&cell=${encodeURIComponent(cell)}` : ""}`); openScene(found.scene, null, null); } catch (error) { report(place, error); }
}

// A map of one mission on a canvas; `draw` gets pen and projection.
function missionMap(canvas, found, draw, extra = []) {
  const { pen, width, height } = sheet(canvas);
  if (!found || !width) return;
  const { arena, mission } = found, points = [mission.home_enu_m, ...mission.waypoints.map((one) => one.position_enu_m)];
  const before = [data.arena, data.route];
  data.arena = [arena.east_min_m, arena.north_min_m, arena.east_max_m, arena.north_max_m]; data.route = points;
  const focus = extra.length ? [...points, ...extra] : [...points, [data.arena[0], data.arena[1]], [data.arena[2], data.arena[3]]];
  const xs = focus.map((p) => p[0]), ys = focus.map((p) => p[1]), box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const { to, scale } = mapScale(width, height, box, 26);
  drawGround(pen, width, height, box, to, scale); draw(pen, to, width, height); drawRoute(pen, to);
  [data.arena, data.route] = before;
}
// Lines told apart by colour and by dashes.
const strokes = [["accent", []], ["safe", [7, 4]], ["soft-fail", [2, 4]], ["soft", [10, 3, 2, 3]], ["accent", [2, 4]], ["safe", []], ["soft-fail", [9, 4]], ["soft", []]];
const strokeOf = (index) => { const [name, dash] = strokes[index % strokes.length]; return [colour(name), dash]; };
function legend(names) {
  return names.map((name, index) => {
    const mark = svgNode("svg", { viewBox: "0 0 28 8", width: 28, height: 8, "aria-hidden": "true" }), [style, dash] = strokeOf(index);
    mark.append(svgNode("line", { x1: 1, x2: 27, y1: 4, y2: 4, stroke: style, "stroke-width": 2.5, "stroke-dasharray": dash.join(" ") }));
    return element("span", {}, mark, name);
  });
}
