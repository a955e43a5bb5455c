// The rail: a room registers itself, the rail and the addresses (#name or #name/rest) are made from what is registered.
//
//   registerRoom({ name: "fleet", label: "Fleet", order: 60, icon: "M4 4h6v6H4z…",
//     mount(box) { … build what stays … }, show(box, rest) { … }, leave(box) { … }, repaint(box) { … } });
//
// `icon` is an SVG path in a 24 × 24 square, drawn with a line; `order` its place in the rail. `mount` is called once, at the first
// visit; `show` at every visit with what follows the name in the address; `leave` when another room is shown; `repaint` when the
// colours or the size of the window changed. All four may be left out. `emptyState` says what to do where there is nothing yet.
const rooms = new Map();
function registerRoom(room) { rooms.set(room.name, room); }
const roomBox = (name) => byId(`view-${name}`);
const isShown = (name) => document.body.dataset.view === name;

function emptyState(sentence, action, act) {
  const box = element("div", { class: "empty" }, element("p", {}, sentence));
  if (action) { const button = element("button", { type: "button", class: "primary" }, action); button.addEventListener("click", act); box.append(button); }
  return box;
}

function buildRail() {
  const rail = byId("rail"), centre = document.querySelector(".centre");
  for (const room of [...rooms.values()].sort((one, other) => one.order - other.order)) {
    const button = element("button", { type: "button", "data-go": room.name, title: room.label });
    button.append(svgNode("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svgNode("path", { d: room.icon })), element("span", {}, room.label));
    button.addEventListener("click", () => go(room.name));
    rail.insertBefore(button, byId("link-state"));
    if (!roomBox(room.name)) centre.append(element("section", { id: `view-${room.name}`, class: "sheet", hidden: "", "aria-label": room.label }));
  }
}
function go(name, rest = "") {
  const room = rooms.get(name), before = rooms.get(document.body.dataset.view), box = roomBox(name);
  if (before && before !== room) before.leave?.(roomBox(before.name));
  document.body.dataset.view = name;
  for (const one of rooms.keys()) roomBox(one).hidden = one !== name;
  for (const button of byId("rail").querySelectorAll("[data-go]")) { if (button.dataset.go === name) { button.setAttribute("aria-current", "page"); button.scrollIntoView({ block: "nearest", inline: "nearest" }); } else button.removeAttribute("aria-current"); }
  const address = `#${name}${rest ? `/${encodeURIComponent(rest)}` : ""}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  if (!room.isMounted) { room.isMounted = true; room.mount?.(box); }
  room.show?.(box, rest);
}
// The room and the rest that an address names; the scene where it names nothing we have.
function roomOfAddress() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  let text = "";
  try { text = decodeURIComponent(rest.join("/")); } catch { /* a broken address opens the room itself */ }
  return rooms.has(name) ? [name, text] : ["scene", ""];
}
function repaintRoom() { const room = rooms.get(document.body.dataset.view); if (room?.isMounted) room.repaint?.(roomBox(room.name)); }
