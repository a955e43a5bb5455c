// The map: SVG, north up, everything on it can be taken hold of.
const view = { scale: 10, x: 0, y: 0, width: 0, height: 0, isByHand: false, hold: null };
const svgNode = (tag, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  for (const child of children) made.append(child instanceof Node ? child : String(child));
  return made;
};
const toScreen = (x, y) => [view.x + view.scale * x, view.y - view.scale * y];
const toWorld = (px, py) => [(px - view.x) / view.scale, (view.y - py) / view.scale];
const spots = (points) => points.map(([x, y]) => toScreen(x, y).map((value) => value.toFixed(1)).join(",")).join(" ");

function fit() {
  const area = byId("map").getBoundingClientRect();
  if (!scene.now || !area.width) return;
  view.isByHand = false;
  const { arena } = scene.now, points = [...route(), ...scene.now.obstacles.flatMap((one) => outline(obstacleShown(one)))];
  // The flight fills the map; the whole area for obstacles is a turn of the wheel away.
  const xs = [arena.east_min_m, arena.east_max_m, ...points.map((p) => p[0])], ys = points.map((p) => p[1]), middle = (Math.min(...ys) + Math.max(...ys)) / 2;
  const [west, east] = [Math.min(...xs), Math.max(...xs)], [south, north] = [Math.min(...ys, middle - 17), Math.max(...ys, middle + 17)];
  const margin = area.width < 500 ? 22 : 44;
  view.scale = Math.min((area.width - 2 * margin) / (east - west), (area.height - 2 * margin) / (north - south));
  view.x = area.width / 2 - view.scale * (west + east) / 2; view.y = area.height / 2 + view.scale * (south + north) / 2;
}
// A map of another size shows the whole flight again, or keeps its middle where somebody has moved it.
function resizeMap() {
  const { width, height } = byId("map").getBoundingClientRect(), before = { ...view };
  if (!scene.now || !width || width === view.width && height === view.height) return;
  view.width = width; view.height = height;
  if (!view.isByHand || !before.width) fit(); else { view.x += (width - before.width) / 2; view.y += (height - before.height) / 2; }
}
function zoom(factor, px, py) {
  const [x, y] = toWorld(px, py);
  view.isByHand = true;
  view.scale = clamp(view.scale * factor, 0.5, 200); view.x = px - view.scale * x; view.y = py + view.scale * y; drawEditor();
}

function gridParts(width, height) {
  const parts = [], every = step(width / view.scale, width / 90), [west, north] = toWorld(0, 0), [east, south] = toWorld(width, height);
  for (let x = Math.ceil(west / every) * every; x <= east; x += every) {
    const [px] = toScreen(x, 0); parts.push(svgNode("line", { class: "grid", x1: px, x2: px, y1: 0, y2: height }), svgNode("text", { x: px + 4, y: height - 6 }, px > width - 90 ? "" : `${round(x, 1)}`));
  }
  for (let y = Math.ceil(south / every) * every; y <= north; y += every) {
    const [, py] = toScreen(0, y); parts.push(svgNode("line", { class: "grid", x1: 0, x2: width, y1: py, y2: py }), svgNode("text", { x: 6, y: py - 4 }, `${round(y, 1)}`));
  }
  parts.push(svgNode("text", { x: width - 8, y: height - 6, "text-anchor": "end" }, "east [m]"), svgNode("text", { x: 6, y: 14 }, "north [m] ↑"));
  return parts;
}

function pathParts(run) {
  const parts = [], stale = flown.isStale ? " stale" : "";
  let begin = 0;
  for (let k = 1; k <= run.x.length; k++) {
    const here = distanceColour(run.d[begin]);
    if (k < run.x.length && distanceColour(run.d[k]) === here) continue;
    const points = []; for (let j = begin; j <= Math.min(k, run.x.length - 1); j++) points.push([run.x[j], run.y[j]]);
    parts.push(svgNode("polyline", { class: `path${stale}`, points: spots(points), stroke: here })); begin = k;
  }
  return parts;
}

function obstaclePart(one, index) {
  const shown = placed(obstacleShown(one), state.time), corners = outline(shown), broken = scene.problems.filter((p) => p.obstacle === index || p.other_obstacle === index);
  const isChosen = scene.chosen && scene.chosen.kind === "obstacle" && scene.chosen.index === index;
  const [cx, cy] = toScreen(...shown.center), [x, y, z] = one.center_enu_m;
  const label = `${forms[one.shape].word} ${one.name}, centre ${round(x, 2)} m east, ${round(y, 2)} m north, ${one.size_m.map((s) => round(s, 2)).join(" by ")} m${broken.length ? `, breaks a rule: ${ruleText(broken[0].message)}` : ""}`;
  const part = svgNode("g", { class: `obstacle${isChosen ? " chosen" : ""}${broken.length ? " broken" : ""}`, tabindex: 0, role: "button", "aria-label": label, "data-kind": "obstacle", "data-index": index });
  part.append(svgNode("polygon", { class: "shape", points: spots(corners) }), svgNode("text", { x: cx, y: cy + 4 }, (one.name || `${index + 1}`).slice(0, 26)));
  if (broken.length) {
    const [bx, by] = toScreen(...corners.reduce((best, corner) => corner[1] > best[1] ? corner : best));
    part.append(svgNode("g", { class: "badge" }, svgNode("circle", { cx: bx, cy: by - 12, r: 8.5 }), svgNode("text", { x: bx, y: by - 8 }, "!"), svgNode("title", {}, broken.map((p) => ruleText(`${p.message}; ${p.way_out}`)).join("\n"))));
  }
  return part;
}

// The sentence of a broken rule, beside its obstacle and over everything else; the inspector has the rest of it.
const MOST_RULE_LETTERS = 64;
function ruleParts(width) {
  const told = new Set();
  return scene.problems.filter(({ obstacle }) => obstacle !== null && scene.now.obstacles[obstacle] && !told.has(obstacle) && told.add(obstacle)).map((one) => {
    const corners = outline(placed(obstacleShown(scene.now.obstacles[one.obstacle]), state.time)), [x, y] = toScreen(...corners.reduce((best, corner) => corner[1] > best[1] ? corner : best));
    const text = ruleText(one.message).replace(/ \([^)]*\)$/, ""), short = text.length > MOST_RULE_LETTERS ? `${text.slice(0, MOST_RULE_LETTERS - 1)}…` : text, isLeft = x > 0.55 * width;
    return svgNode("text", { class: "rule", x: x + (isLeft ? -14 : 14), y: y - 8, "text-anchor": isLeft ? "end" : "start", "aria-hidden": "true" }, short);
  });
}

function stopPart(kind, index, [x, y], text, label) {
  const [px, py] = toScreen(x, y), isChosen = scene.chosen && scene.chosen.kind === kind && scene.chosen.index === index;
  const mark = kind === "home" ? svgNode("rect", { x: px - 9, y: py - 9, width: 18, height: 18, rx: 4 }) : svgNode("circle", { cx: px, cy: py, r: 9.5 });
  return svgNode("g", { class: `stop${isChosen ? " chosen" : ""}`, tabindex: 0, role: "button", "aria-label": label, "data-kind": kind, "data-index": index }, mark, svgNode("text", { x: px, y: py + 4 }, text));
}

function handleParts() {
  const one = chosenObstacle();
  if (!one) return [];
  const { index } = scene.chosen, [cx, cy] = one.center_enu_m, c = Math.cos(one.yaw_rad), s = Math.sin(one.yaw_rad), parts = [];
  const at = (u, v) => toScreen(cx + c * u - s * v, cy + s * u + c * v);
  const knob = ([x, y], kind, axis, title) => svgNode("circle", { class: "handle", cx: x, cy: y, r: 6.5, "data-kind": kind, "data-index": index, "data-axis": axis }, svgNode("title", {}, title));
  if (forms[one.shape].turns) {
    const [tx, ty] = at(0, one.size_m[1] / 2), [hx, hy] = at(0, one.size_m[1] / 2 + 30 / view.scale);
    parts.push(svgNode("line", { class: "stem", x1: tx, y1: ty, x2: hx, y2: hy }), knob([hx, hy], "turn", 0, "turn"));
    for (const sign of [-1, 1]) parts.push(knob(at(sign * one.size_m[0] / 2, 0), "size", 0, "length"), knob(at(0, sign * one.size_m[1] / 2), "size", 1, "width"));
  } else parts.push(knob(at(one.size_m[0] / 2, 0), "size", 0, "diameter"));
  if (one.motion) cornersOf(one).forEach((point, k, all) => parts.push(knob(toScreen(...point), "motion", k, k === all.length - 1 ? "end of its way" : `corner ${k + 1} of its way`)));
  return parts;
}

// What can be taken hold of stays the same element while predictions arrive: a pointer or a screen reader on it
// would lose an element that is replaced.
function renewParts(box, parts) {
  const keyed = (nodes) => {
    const count = new Map(), found = new Map();
    for (const one of nodes) {
      if (!one.dataset?.kind) continue;
      const name = `${one.nodeName} ${one.dataset.kind} ${one.dataset.index} ${one.dataset.axis}`, number = count.get(name) || 0;
      count.set(name, number + 1); found.set(`${name} ${number}`, one);
    }
    return found;
  };
  const old = keyed(box.children), keptFor = new Map([...keyed(parts)].map(([key, part]) => [part, old.get(key)]));
  const wanted = parts.map((part) => {
    const kept = keptFor.get(part);
    if (!kept) return part;
    for (const { name } of [...kept.attributes]) if (!part.hasAttribute(name)) kept.removeAttribute(name);
    for (const { name, value } of part.attributes) if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
    kept.replaceChildren(...part.childNodes);
    return kept;
  }), stays = new Set(wanted);
  for (const one of [...box.childNodes]) if (!stays.has(one)) one.remove();
  wanted.forEach((one, place) => { if (box.childNodes[place] !== one) box.insertBefore(one, box.childNodes[place] ?? null); });
}

function drawEditor() {
  const map = byId("map"), { width, height } = map.getBoundingClientRect();
  if (!scene.now || !width) return;
  const focus = document.activeElement && map.contains(document.activeElement) ? { ...document.activeElement.dataset } : null;
  const { arena, mission, obstacles } = scene.now, [ax, ay] = toScreen(arena.east_min_m, arena.north_max_m), run = flown.nominal;
  const parts = [svgNode("rect", { class: "arena", x: ax, y: ay, width: view.scale * (arena.east_max_m - arena.east_min_m), height: view.scale * (arena.north_max_m - arena.north_min_m) }),
    svgNode("text", { x: ax + 6, y: ay + 15 }, `obstacle area, rules ${arena.name}`), ...gridParts(width, height)];
  for (const one of obstacles) parts.push(svgNode("polygon", { class: "halo", points: spots(outline(placed(obstacleShown(one), state.time))), "stroke-width": 2 * data.soft_below_m * view.scale }));
  for (const one of obstacles) if (one.motion) parts.push(svgNode("polygon", { class: "start", points: spots(outline(obstacleShown(one))) }), svgNode("polyline", { class: "motion", points: spots([one.center_enu_m, ...cornersOf(one)]) }));
  obstacles.forEach((one, index) => parts.push(obstaclePart(one, index)));
  parts.push(svgNode("polyline", { class: "route", points: spots(route()) }));
  if (!flown.isStale) for (const ghost of flown.ghosts) parts.push(svgNode("polyline", { class: `ghost${ghost.distance_m !== null && ghost.distance_m < data.soft_below_m ? " bad" : ""}`, points: spots(ghost.x.map((x, k) => [x, ghost.y[k]])) }));
  if (run) parts.push(...pathParts(run));
  if (run) parts.push(...seenParts());
  if (run && run.nearest && !flown.isStale) {
    const [x, y] = toScreen(run.nearest.x, run.nearest.y), bad = run.distance_m !== null && run.distance_m < data.soft_below_m ? " bad" : "";
    parts.push(svgNode("circle", { class: `nearest${bad}`, cx: x, cy: y, r: 8 }), svgNode("text", { class: `nearest-text${bad}`, x: x + 13, y: y - 9 }, run.distance_m === null ? "" : `${bad ? "▲ " : ""}${number(run.distance_m)} m`));
  }
  parts.push(stopPart("home", 0, mission.home_enu_m, "H", `Home, ${mission.home_enu_m.map((v) => round(v, 2)).join(", ")} m`));
  mission.waypoints.forEach((one, index) => parts.push(stopPart("waypoint", index, one.position_enu_m, String(index + 1), `Waypoint ${index + 1}, ${one.position_enu_m.map((v) => round(v, 2)).join(", ")} m`)));
  if (run) {
    const pose = poseAt(run, state.time), [x, y] = toScreen(pose.x, pose.y);
    parts.push(svgNode("path", { class: "drone", d: "M11 0 L-7 6.5 L-3.5 0 L-7 -6.5 Z", transform: `translate(${x} ${y}) rotate(${-pose.yaw * 180 / Math.PI})` }));
  }
  parts.push(...ruleParts(width));
  if (!obstacles.length) parts.push(svgNode("text", { class: "hint", x: ax + view.scale * (arena.east_max_m - arena.east_min_m) / 2, y: ay + view.scale * (arena.north_max_m - arena.north_min_m) / 2 }, "No obstacles yet: add a box"));
  parts.push(...handleParts());
  renewParts(map, parts);
  if (focus && focus.kind) map.querySelector(`g[data-kind="${focus.kind}"][data-index="${focus.index}"]`)?.focus({ preventScroll: true });
}

const snapped = (value, size, event) => byId("snap").checked !== !!(event && event.altKey) ? Math.round(value / size) * size : value;

(function handlePointer() {
  const map = byId("map");
  const place = (event) => { const area = map.getBoundingClientRect(); return [event.clientX - area.left, event.clientY - area.top]; };
  map.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !scene.now) return;
    const target = event.target.closest("[data-kind]"), [px, py] = place(event);
    map.setPointerCapture(event.pointerId);
    if (!target) { view.hold = { kind: "pan", px, py, moved: false }; map.classList.add("panning"); return; }
    const { kind, axis } = target.dataset, index = +target.dataset.index;
    event.preventDefault();
    if (["obstacle", "waypoint", "home"].includes(kind)) { choose(kind, index); map.querySelector(`g[data-kind="${kind}"][data-index="${index}"]`)?.focus({ preventScroll: true }); }
    const [x, y] = toWorld(px, py), point = ["turn", "size"].includes(kind) ? [x, y] : pointOf(kind, index, +axis);
    view.hold = { kind, index, axis: +axis, dx: point[0] - x, dy: point[1] - y, before: JSON.stringify(scene.now), moved: false };
  });
  map.addEventListener("pointermove", (event) => {
    const { hold } = view;
    if (!hold) return;
    const [px, py] = place(event), [x, y] = toWorld(px, py);
    if (hold.kind === "pan") { view.isByHand = true; view.x += px - hold.px; view.y += py - hold.py; hold.moved = hold.moved || Math.hypot(px - hold.px, py - hold.py) > 2; hold.px = px; hold.py = py; drawEditor(); return; }
    if (!hold.moved) { hold.moved = true; remember(); }
    if (hold.kind === "turn") {
      const [cx, cy] = pointOf("obstacle", hold.index); turnTo(hold.index, snapped(Math.atan2(y - cy, x - cx) - Math.PI / 2, Math.PI / 36, event));
    } else if (hold.kind === "size") {
      const one = scene.now.obstacles[hold.index], [cx, cy] = one.center_enu_m, c = Math.cos(one.yaw_rad), s = Math.sin(one.yaw_rad);
      const along = hold.axis ? -s * (x - cx) + c * (y - cy) : c * (x - cx) + s * (y - cy);
      resizeTo(hold.index, hold.axis, Math.max(0.5, snapped(2 * Math.abs(along), 0.5, event)));
    } else moveTo(hold.kind, hold.index, snapped(x + hold.dx, 0.5, event), snapped(y + hold.dy, 0.5, event), hold.axis);
    changed(false);
  });
  const release = () => {
    const { hold } = view; view.hold = null; map.classList.remove("panning");
    if (!hold) return;
    if (hold.kind === "pan") { if (!hold.moved) choose(null); return; }
    if (hold.moved) changed(true);
  };
  map.addEventListener("pointerup", release); map.addEventListener("pointercancel", release);
  map.addEventListener("wheel", (event) => { event.preventDefault(); const [px, py] = place(event); zoom(Math.exp(-0.0012 * event.deltaY), px, py); }, { passive: false });
  map.addEventListener("focusin", (event) => {
    const { kind, index } = event.target.dataset || {};
    if (kind && !view.hold && !(scene.chosen && scene.chosen.kind === kind && scene.chosen.index === +index)) choose(kind, +index);
  });
  // Keys act on what has the focus; a burst of them is one step to undo.
  let lastKey = 0;
  map.addEventListener("keydown", (event) => {
    const { kind } = event.target.dataset || {};
    if (!kind || event.ctrlKey || event.metaKey) return;
    const index = +event.target.dataset.index, size = event.shiftKey ? 0.1 : 0.5, moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const act = (change) => { event.preventDefault(); event.stopPropagation(); if (performance.now() - lastKey > 800) remember(); lastKey = performance.now(); change(); changed(true); };
    if (moves[event.key]) { const [x, y] = pointOf(kind, index), [u, v] = moves[event.key]; act(() => moveTo(kind, index, x + size * u, y + size * v)); }
    else if (kind === "obstacle" && (event.key === "[" || event.key === "]")) act(() => turnTo(index, scene.now.obstacles[index].yaw_rad + (event.key === "[" ? 1 : -1) * Math.PI / (event.shiftKey ? 180 : 36)));
    else if (kind === "obstacle" && ["+", "-", "="].includes(event.key)) act(() => [0, 1].forEach((axis) => resizeTo(index, axis, scene.now.obstacles[index].size_m[axis] + (event.key === "-" ? -0.5 : 0.5))));
    else if (event.key === "Delete" || event.key === "Backspace") { event.preventDefault(); removeChosen(); }
    else if (event.key === "Escape") { event.target.blur(); choose(null); }
  });
})();
watchers.push(drawEditor);
