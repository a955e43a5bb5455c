// The edited scene: what it is, undo and redo, and every change that can be made to it.
const scene = { now: null, system: {}, requirements: [], runs: 5, path: null, stamp: null, chosen: null, past: [], future: [], saved: "", problems: [] };
const flown = { nominal: null, ghosts: [], prediction: null, ms: null, error: "" };
let choices = null;

const copyOf = (value) => JSON.parse(JSON.stringify(value));
const round = (value, digits = 3) => +value.toFixed(digits);
const obstacleShown = (o) => ({ shape: o.shape, center: o.center_enu_m, size: o.size_m, yaw: o.yaw_rad, name: o.name, triangles: o.triangles,
  motion: o.motion && { via: o.motion.via_enu_m || [], to: o.motion.to_enu_m, speed: o.motion.speed_mps, start: o.motion.start_s, mode: o.motion.mode } });
const nameOf = (index) => scene.now.obstacles[index].name || `${forms[scene.now.obstacles[index].shape].word} ${index + 1}`;
// A rule's sentence with the names people see; like nameOf it counts from 1.
const ruleText = (text) => text.replace(/\bobstacles? (\d+)(?: and (\d+))?/g, (whole, ...found) => found.slice(0, 2).filter((k) => k !== undefined).map((k) => scene.now.obstacles[+k - 1] ? `'${nameOf(+k - 1)}'` : whole).join(" and "));
const isDirty = () => JSON.stringify(scene.now) !== scene.saved;

function route() {
  const { home_enu_m: [x, y, z], takeoff, takeoff_altitude_m: up, waypoints } = scene.now.mission;
  return [[x, y, takeoff ? z + up : z], ...waypoints.map((one) => one.position_enu_m)];
}

// Remember the scene as it was; call before a change that can be undone.
function remember() {
  scene.past.push(JSON.stringify(scene.now)); scene.future = [];
  if (scene.past.length > 200) scene.past.shift();
}
function travel(from, to) {
  if (!from.length) return;
  to.push(JSON.stringify(scene.now)); scene.now = JSON.parse(from.pop());
  if (scene.chosen && scene.chosen.kind === "obstacle" && scene.chosen.index >= scene.now.obstacles.length) scene.chosen = null;
  if (scene.chosen && scene.chosen.kind === "waypoint" && scene.chosen.index >= scene.now.mission.waypoints.length) scene.chosen = null;
  changed(true);
}
const undo = () => travel(scene.past, scene.future), redo = () => travel(scene.future, scene.past);

function changed(isSettled) {
  data.route = route();
  const { east_min_m: w, north_min_m: s, east_max_m: e, north_max_m: n } = scene.now.arena;
  data.arena = [w, s, e, n];
  flown.isStale = true;
  if (state.test) state.test.obstacles = scene.now.obstacles.map(obstacleShown);
  byId("verdict").dataset.state = "flying";
  drawEditor(); if (isSettled) { showInspector(); keepDraft(); } else showNumbers();
  showBar(); sendScene(isSettled);
}

function openScene(found, path, stamp) {
  scene.now = found; scene.path = path || null; scene.stamp = stamp || null; scene.chosen = null;
  scene.past = []; scene.future = []; scene.saved = path || !found.draft ? JSON.stringify(found) : "";
  flown.nominal = null; flown.ghosts = []; flown.prediction = null; state.test = null; state.run = null; scene.problems = [];
  byId("scene-notes").hidden = true;
  data.route = route(); go("scene"); fit(); changed(true);
}

function choose(kind, index) { scene.chosen = kind ? { kind, index } : null; drawEditor(); showInspector(); if (kind) pane("selected"); }
const chosenObstacle = () => scene.chosen && scene.chosen.kind === "obstacle" ? scene.now.obstacles[scene.chosen.index] : null;

// The position of what is chosen, and moving it.
// Corners and end of a moving obstacle's way, after where it stands.
const cornersOf = (one) => [...one.motion.via_enu_m, one.motion.to_enu_m];
function pointOf(kind, index, corner = 0) {
  if (kind === "obstacle") return scene.now.obstacles[index].center_enu_m;
  if (kind === "waypoint") return scene.now.mission.waypoints[index].position_enu_m;
  if (kind === "motion") return cornersOf(scene.now.obstacles[index])[corner];
  return scene.now.mission.home_enu_m;
}
function moveTo(kind, index, x, y, corner = 0) {
  const point = pointOf(kind, index, corner), dx = round(x) - point[0], dy = round(y) - point[1];
  if (kind === "obstacle" && scene.now.obstacles[index].motion) {
    for (const end of cornersOf(scene.now.obstacles[index])) { end[0] = round(end[0] + dx); end[1] = round(end[1] + dy); }
  }
  point[0] = round(x); point[1] = round(y);
}
function turnTo(index, yaw) { scene.now.obstacles[index].yaw_rad = round(Math.atan2(Math.sin(yaw), Math.cos(yaw)), 5); }
function resizeTo(index, axis, metres) {
  const one = scene.now.obstacles[index], size = round(clamp(metres, 0.2, 200)), bottom = one.center_enu_m[2] - one.size_m[2] / 2;
  for (const [, axes] of forms[one.shape].sides) if (axes.includes(axis)) for (const each of axes) one.size_m[each] = size;
  one.center_enu_m[2] = round(bottom + one.size_m[2] / 2); // its base stays where it is
}

function letMove(index, isMoving) {
  remember(); const one = scene.now.obstacles[index], [x, y, z] = one.center_enu_m;
  one.motion = isMoving ? { to_enu_m: [round(x), round(y + 8), z], via_enu_m: [], speed_mps: 1, start_s: 0, mode: "back_and_forth" } : null;
  changed(true);
}
// One more corner, in the middle of the last leg.
function addCorner(index) {
  remember(); const { motion, center_enu_m: centre } = scene.now.obstacles[index], from = motion.via_enu_m[motion.via_enu_m.length - 1] || centre;
  motion.via_enu_m.push(from.map((value, axis) => round((value + motion.to_enu_m[axis]) / 2 + (axis ? 0 : 2)))); changed(true);
}
function removeCorner(index, corner) { remember(); scene.now.obstacles[index].motion.via_enu_m.splice(corner, 1); changed(true); }

function freePlace() {
  const { arena } = scene.now, x = (arena.east_min_m + arena.east_max_m) / 2, y = (arena.north_min_m + arena.north_max_m) / 2;
  for (let ring = 0; ring < 12; ring++) for (let k = 0; k < Math.max(1, 6 * ring); k++) {
    const angle = k / Math.max(1, 6 * ring) * 2 * Math.PI, at = [x + 4 * ring * Math.cos(angle), y + 4 * ring * Math.sin(angle)];
    const isIn = at[0] > arena.east_min_m + 4 && at[0] < arena.east_max_m - 4 && at[1] > arena.north_min_m + 4 && at[1] < arena.north_max_m - 4;
    const isFree = scene.now.obstacles.every((o) => Math.hypot(at[0] - o.center_enu_m[0], at[1] - o.center_enu_m[1]) > 3 + Math.hypot(o.size_m[0], o.size_m[1]) / 2);
    if (isIn && isFree) return at.map((value) => Math.round(value * 2) / 2);
  }
  return [round(x), round(y)];
}
function addObstacle(shape) {
  remember();
  const [x, y] = freePlace(), height = shape === "sphere" ? 12 : Math.min(20, scene.now.arena.max_height_m);
  const size = { box: [6, 3, height], cylinder: [4, 4, height], sphere: [12, 12, 12] }[shape];
  scene.now.obstacles.push({ center_enu_m: [x, y, height / 2], size_m: size, yaw_rad: 0, shape, motion: null, name: "" });
  choose("obstacle", scene.now.obstacles.length - 1); changed(true);
}
function addWaypoint() {
  remember();
  const { waypoints } = scene.now.mission, [x, y, z] = waypoints[waypoints.length - 1].position_enu_m;
  const at = scene.chosen && scene.chosen.kind === "waypoint" ? scene.chosen.index + 1 : waypoints.length;
  waypoints.splice(at, 0, { position_enu_m: [round(x + 5), round(y + 5), z] });
  choose("waypoint", at); changed(true);
}
function duplicate() {
  const one = chosenObstacle();
  if (!one) return;
  remember();
  const made = copyOf(one); made.center_enu_m[0] += 4; made.center_enu_m[1] += 4; if (made.motion) { made.motion.to_enu_m[0] += 4; made.motion.to_enu_m[1] += 4; }
  if (made.name) made.name = `${made.name} copy`.slice(0, 200);
  scene.now.obstacles.push(made); choose("obstacle", scene.now.obstacles.length - 1); changed(true);
}
function removeChosen() {
  if (!scene.chosen || scene.chosen.kind === "home") return;
  const { kind, index } = scene.chosen;
  if (kind === "waypoint" && scene.now.mission.waypoints.length === 1) return;
  remember();
  if (kind === "obstacle") scene.now.obstacles.splice(index, 1); else scene.now.mission.waypoints.splice(index, 1);
  choose(null); changed(true);
}

// What was drawn survives a reload of the page.
function keepDraft() { try { sessionStorage.setItem("draft", JSON.stringify({ scene: scene.now, path: scene.path, stamp: scene.stamp, saved: scene.saved, requirements: scene.requirements, system: scene.system })); } catch { /* no room: only the reload forgets */ } }
function draft() { try { return JSON.parse(sessionStorage.getItem("draft")); } catch { return null; } }
