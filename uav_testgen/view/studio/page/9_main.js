// Puts the studio together: views, keyboard, colours, start.
registerRoom({ name: "scene", label: "Scene", order: 10, icon: "M4 5h7v7H4zM15 13.5a3.5 3.5 0 1 0 .01 0M5 20c5-3 4-7 9-8s5-4 6-7", show: redraw, repaint: redraw });
buildRail();
window.addEventListener("hashchange", () => { const [name, rest] = roomOfAddress(); go(name, rest); });

function showBar() {
  if (!scene.now) return;
  const name = scene.path || scene.now.name || "scene";
  byId("scene-name").textContent = name; document.title = `${name} · Studio`;
  byId("scene-state").textContent = scene.path ? isDirty() ? "changed" : "saved" : isDirty() ? "changed, not in a file yet" : "";
  byId("undo").disabled = !scene.past.length; byId("redo").disabled = !scene.future.length;
}
byId("undo").addEventListener("click", undo); byId("redo").addEventListener("click", redo);
for (const button of document.querySelectorAll("[data-add]")) button.addEventListener("click", () => addObstacle(button.dataset.add));
byId("add-waypoint").addEventListener("click", addWaypoint);
byId("fit").addEventListener("click", () => { fit(); if (state.test) lookAtFlight(); redraw(); });
const middle = () => { const { width, height } = byId("map").getBoundingClientRect(); return [width / 2, height / 2]; };
const zoomShown = (factor) => byId("space").hidden ? zoom(factor, ...middle()) : zoomSpace(factor);
byId("zoom-in").addEventListener("click", () => zoomShown(1.25)); byId("zoom-out").addEventListener("click", () => zoomShown(0.8));

const keys = [["Tab", "next obstacle, home or waypoint"], ["Arrow keys", "move by 0.5 m; with Shift by 0.1 m"], ["[ and ]", "turn by 5°; with Shift by 1°"], ["+ and −", "larger, smaller"], ["Delete", "remove"], ["B, C, S, W", "add a box, cylinder, sphere, waypoint"], ["D", "copy what is chosen"], ["Space", "play or pause"], ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"], ["Ctrl+S", "save"], ["Alt while dragging", "snap off (or on)"], ["Esc", "choose nothing; then arrow keys, + and − move the map"], ["0", "show everything"]];
byId("help-list").replaceChildren(...keys.flatMap(([key, text]) => [element("dt", {}, key), element("dd", {}, text)]));
byId("help").addEventListener("click", () => byId("help-dialog").showModal()); byId("help-close").addEventListener("click", () => byId("help-dialog").close());
document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  const isTyping = event.target.matches("input:not([type=range]):not([type=checkbox]), select, textarea"), command = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
  const does = (act) => { event.preventDefault(); act(); };
  if (command && key === "s") return does(askToSave);
  if (isTyping || !isShown("scene") || !scene.now) return undefined;
  if (command && key === "z") return does(event.shiftKey ? redo : undo);
  if (command && key === "y") return does(redo);
  if (command || event.altKey) return undefined;
  if (key === "?") return does(() => byId("help-dialog").showModal());
  if (key === " " && !event.target.matches("button")) return does(() => play(!state.playing));
  const adds = { b: "box", c: "cylinder", s: "sphere" };
  if (key === "w") return does(addWaypoint);
  if (key === "0") return does(() => byId("fit").click());
  const isFree = !event.target.closest("#map g, button, input, [role=tab]"), pans = { arrowleft: [1, 0], arrowright: [-1, 0], arrowup: [0, 1], arrowdown: [0, -1] }[key];
  if (isFree && pans) return does(() => { view.isByHand = true; view.x += 40 * pans[0]; view.y += 40 * pans[1]; drawEditor(); });
  if (isFree && ["+", "=", "-"].includes(key)) return does(() => zoomShown(key === "-" ? 0.8 : 1.25));
  if (adds[key]) return does(() => { addObstacle(adds[key]); byId("map").querySelector(".obstacle.chosen")?.focus(); });
  if (key === "d") return does(duplicate);
  if (key === "escape") return does(() => choose(null));
  return undefined;
});

const dark = window.matchMedia("(prefers-color-scheme: dark)");
function theme(isDark) { document.documentElement.dataset.theme = isDark ? "dark" : "light"; repaintRoom(); if (sees.moment) showSees(); }
byId("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
dark.addEventListener("change", (event) => theme(event.matches));
new ResizeObserver(() => { resizeMap(); redraw(); }).observe(byId("map"));
new ResizeObserver(() => { if (state.test) lookAtFlight(); redraw(); }).observe(byId("space"));
window.addEventListener("beforeunload", keepDraft);

(async function start() {
  theme(dark.matches);
  try { choices = await ask("/api/start"); } catch (error) {
    flown.error = error.message; showVerdict(); showLink("not connected", true); setTimeout(start, 1500); return;
  }
  data.soft_below_m = choices.safe_distance_m; data.hard_below_m = choices.collision_distance_m; flown.error = "";
  const kept = draft(), wanted = roomOfAddress();
  openScene(kept ? kept.scene : choices.scene, kept ? kept.path : null, kept ? kept.stamp : null);
  if (kept) { scene.saved = kept.saved; scene.requirements = kept.requirements || []; scene.system = kept.system || {}; }
  showBar(); showInspector(); connect();
  go(...wanted);
  document.documentElement.dataset.ready = "yes";
})();
