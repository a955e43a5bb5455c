// Fleet: many drones on a grid of cells, with play, step, pause and the commands of the command line.
const fleet = { key: null, now: null, timer: null, playing: false, level: 0, name: null, list: null };
const FLEET_MS = 120;
const droneMark = { dead: "✕", rogue: "!" };
function mountFleet(box) {
  const part = (tag, attributes, ...children) => element(tag, attributes, ...children);
  box.replaceChildren(part("h1", {}, "Fleet"), part("p", { class: "sub" }, "Drones on a grid of cells: controllers give out tasks, drones fly, sense, carry and charge, tick by tick."), part("p", { class: "error", id: "fleet-error", role: "alert", hidden: "" }),
    part("div", { class: "fleet-bar" }, part("label", {}, "Scenario ", part("select", { id: "fleet-scenario" })), part("label", { class: "file-button" }, "Open a file… ", part("input", { type: "file", accept: ".json", id: "fleet-file" })), part("label", {}, "Seed ", part("input", { id: "fleet-seed", type: "number", min: 0, step: 1, value: 0 })), part("button", { type: "button", id: "fleet-restart" }, "Restart"), part("span", { class: "group" }, part("button", { type: "button", id: "fleet-play", class: "primary", "aria-label": "Play or pause (Space)" }, "Play"), part("button", { type: "button", id: "fleet-step" }, "Step"), part("select", { id: "fleet-speed", "aria-label": "Ticks per move" }, ...[1, 2, 5, 20].map((n) => part("option", { value: n }, `${n} ×`)))), part("label", { id: "fleet-levels", hidden: "" }, "Level ", part("select", { id: "fleet-level" })), part("output", { id: "fleet-tick", role: "status" })),
    part("p", { class: "quiet", id: "fleet-text" }),
    part("div", { class: "fleet-grid" }, part("figure", {}, svgNode("svg", { id: "fleet-world", role: "img", "aria-label": "World of cells, north up" }), part("p", { class: "legend-line", id: "fleet-legend" })),
      part("div", {}, part("section", { class: "card" }, part("h2", {}, "Drones"), part("table", { class: "list", id: "fleet-drones" })), part("section", { class: "card" }, part("h2", {}, "Command"), part("form", { id: "fleet-command", class: "adding" }, part("input", { type: "text", maxlength: 500, placeholder: "block 3 4 0", "aria-label": "Command", spellcheck: "false" }), part("button", { type: "submit" }, "Send")), part("pre", { id: "fleet-answer", hidden: "" }), part("details", {}, part("summary", {}, "Commands"), part("pre", { id: "fleet-help" })), part("details", {}, part("summary", {}, "Messages"), part("pre", { id: "fleet-lines" }))), part("section", { class: "card" }, part("h2", {}, "Tasks"), part("div", { class: "table-scroll" }, part("table", { class: "list", id: "fleet-tasks" }))))));
  byId("fleet-scenario").addEventListener("change", startFleet); byId("fleet-restart").addEventListener("click", startFleet); byId("fleet-step").addEventListener("click", () => { playFleet(false); stepFleet(1); }); byId("fleet-play").addEventListener("click", () => playFleet(!fleet.playing));
  byId("fleet-file").addEventListener("change", (event) => openFleetFile(event.target));
  byId("fleet-level").addEventListener("change", (event) => { fleet.level = +event.target.value; drawFleet(); });
  byId("fleet-command").addEventListener("submit", async (event) => { event.preventDefault(); const [input] = event.target.elements; playFleet(false); await fleetAsk("/api/fleet/command", { line: input.value }); byId("fleet-answer").hidden = !fleet.now?.answer; byId("fleet-answer").textContent = fleet.now?.answer || ""; input.value = ""; });
  box.addEventListener("keydown", (event) => { if (event.key === " " && !event.target.matches("button, input, select, summary")) { event.preventDefault(); playFleet(!fleet.playing); } });
}
async function showFleet() {
  if (fleet.list) { drawFleet(); return; }
  try { await listFleets(); await startFleet(); } catch (error) { report(byId("fleet-error"), error); }
}
async function listFleets(wanted) {
  const found = await ask("/api/fleet"), group = (title, words) => words.length ? [element("optgroup", { label: title }, ...optionsOf(words))] : [];
  fleet.list = found.scenarios; byId("fleet-help").textContent = found.help;
  byId("fleet-scenario").replaceChildren(...group("Shipped", found.scenarios.map((one) => [one.name, one.name.replaceAll("-", " ")])), ...group("Files of this folder", found.own.map((path) => [path, path])));
  if (wanted) byId("fleet-scenario").value = wanted;
}
// A fleet from elsewhere is kept in the folder, so that it can be started again.
async function openFleetFile(input) {
  const [file] = input.files;
  if (!file) return;
  try { await listFleets(await upload(file)); await startFleet(); } catch (error) { report(byId("fleet-error"), error); }
  input.value = "";
}
async function fleetAsk(path, body) {
  try { fleet.now = { ...(await ask(path, { key: fleet.key, ...body })) }; report(byId("fleet-error"), null); } catch (error) { playFleet(false); report(byId("fleet-error"), error); return; }
  showFleetState();
}
async function startFleet() {
  playFleet(false); fleet.level = 0; byId("fleet-answer").hidden = true;
  const name = byId("fleet-scenario").value; byId("fleet-text").textContent = fleet.list.find((one) => one.name === name)?.text || "";
  try { const found = await ask("/api/fleet", { scenario: name, seed: Math.max(0, Math.round(byId("fleet-seed").valueAsNumber || 0)) }); fleet.key = found.key; fleet.now = found; report(byId("fleet-error"), null); showFleetState(); } catch (error) { report(byId("fleet-error"), error); }
}
async function stepFleet(count) { if (fleet.key) await fleetAsk("/api/fleet/step", { count }); }
function playFleet(on) {
  clearTimeout(fleet.timer); fleet.playing = on && !fleet.now?.finished; byId("fleet-play").textContent = fleet.playing ? "Pause" : "Play";
  const next = async () => { await stepFleet(+byId("fleet-speed").value); if (fleet.playing) { if (fleet.now.finished) playFleet(false); else fleet.timer = setTimeout(next, FLEET_MS); } };
  if (fleet.playing) next();
}
function showFleetState() {
  const { now } = fleet, [, , levels] = now.size, done = now.summary.tasks.filter((one) => one.state === "done").length;
  byId("fleet-tick").textContent = `tick ${now.tick} · ${done} of ${now.summary.tasks.length} tasks done · ${now.summary.messages_sent} messages, ${now.summary.messages_lost} lost${now.finished ? " · finished" : ""}`;
  byId("fleet-step").disabled = byId("fleet-play").disabled = now.finished; byId("fleet-levels").hidden = levels === 1;
  renew(byId("fleet-level"), levels, () => optionsOf(Array.from({ length: levels }, (_, k) => [k, String(k)])));
  byId("fleet-lines").textContent = now.lines.join("\n") || "none yet";
  byId("fleet-drones").replaceChildren(...tableOf(["Drone", "State", "Task", "Battery", "Trust"], now.drones.map((one) => {
    const bar = element("i", {}); bar.style.width = `${100 * clamp(one.battery / one.battery_max, 0, 1)}%`;
    return element("tr", { class: one.state === "dead" || one.state === "rogue" ? "bad" : "" }, element("td", {}, `${one.id}${droneMark[one.state] ? ` ${droneMark[one.state]}` : ""}`), element("td", {}, one.state.replaceAll("_", " ")), element("td", { class: "num" }, one.task ?? "–"), element("td", { class: "num" }, element("span", { class: "bar" }, bar), `${Math.round(one.battery)} mAh`), element("td", { class: "num" }, number(one.trust)));
  }), [0, 1]));
  byId("fleet-tasks").replaceChildren(...tableOf(["Task", "State", "Drone", ""], now.summary.tasks.map((one) => row([one.task, one.state.replaceAll("_", " "), one.drone ?? "–", one.message || ""], [0, 1, 2, 3])), [0, 1, 2, 3]));
  drawFleet();
}
function drawFleet() {
  const { now } = fleet, svg = byId("fleet-world");
  if (!now) return;
  const [wide, high] = now.size, side = 20, parts = [], cell = (x, y, attributes) => svgNode("rect", { x: x * side + 0.5, y: (high - 1 - y) * side + 0.5, width: side - 1, height: side - 1, rx: 2, ...attributes });
  svg.setAttribute("viewBox", `-1 -1 ${wide * side + 2} ${high * side + 2}`);
  parts.push(svgNode("rect", { class: "world", x: 0, y: 0, width: wide * side, height: high * side }));
  if (wide * high <= 4000) { for (let x = 1; x < wide; x++) parts.push(svgNode("line", { class: "grid", x1: x * side, x2: x * side, y1: 0, y2: high * side })); for (let y = 1; y < high; y++) parts.push(svgNode("line", { class: "grid", x1: 0, x2: wide * side, y1: y * side, y2: y * side })); }
  const text = (x, y, what, style) => svgNode("text", { class: style, x: (x + 0.5) * side, y: (high - 1 - y + 0.5) * side + 4, "text-anchor": "middle" }, what);
  for (const one of now.drones) if (one.home[2] === fleet.level) parts.push(cell(one.home[0], one.home[1], { class: "home" }));
  for (const [x, y, z, kind, extra] of now.cells) if (z === fleet.level) { parts.push(cell(x, y, { class: kind })); if (kind === "charger") parts.push(text(x, y, "⚡", "sign")); if (kind === "marked" || extra.length) parts.push(svgNode("g", {}, text(x, y, "◆", "sign"), svgNode("title", {}, extra.join(", ")))); }
  for (const one of now.drones) if (one.cell[2] === fleet.level) {
    const cx = (one.cell[0] + 0.5) * side, cy = (high - 1 - one.cell[1] + 0.5) * side, label = `drone ${one.id}, ${one.state}${one.task === null ? "" : `, task ${one.task}`}${one.load.length ? `, carries ${one.load.join(", ")}` : ""}`;
    parts.push(svgNode("g", { class: `fleet-drone ${one.state}`, "data-drone": one.id }, svgNode("circle", { cx, cy, r: side * 0.44 }), text(one.cell[0], one.cell[1], one.id, "id"), svgNode("title", {}, label)));
    if (one.load.length) parts.push(svgNode("circle", { class: "load", cx: cx + side * 0.34, cy: cy - side * 0.34, r: side * 0.16 }));
  }
  svg.replaceChildren(...parts);
  renew(byId("fleet-legend"), 1, () => [["fleet-key drone", "drone"], ["fleet-key home", "home"], ["fleet-key blocked", "blocked"], ["fleet-key charger", "charger"], ["fleet-key marked", "marked cell"]].map(([style, word]) => element("span", {}, element("i", { class: style }), word)));
}
registerRoom({ name: "fleet", label: "Fleet", order: 60, icon: "M4 4h4v4H4zM16 4h4v4h-4zM4 16h4v4H4zM16 16h4v4h-4zM8 6h8M6 8v8M18 8v8M8 18h8", mount: mountFleet, show: showFleet, leave: () => playFleet(false), repaint: drawFleet });
