// 3-D view: a small orbit camera and painter's order; no library, no WebGL.
const camera = { turn: -0.75, tilt: 0.62, away: 120, at: [0, 0, 5], isDue: false };

// The whole flight is brought into view when the canvas has a size: it may be hidden now.
function lookAtFlight() { camera.isDue = true; }
function frameFlight(width, height) {
  const { run, test } = state, box = bounds(test, [run]), margin = 0.05 * Math.min(width, height);
  const points = [...run.x.flatMap((x, k) => [[x, run.y[k], run.z[k]], [x, run.y[k], 0]]), ...test.obstacles.flatMap((one) => outline(one).flatMap(([x, y]) => [[x, y, one.center[2] - one.size[2] / 2], [x, y, one.center[2] + one.size[2] / 2]]))];
  camera.isDue = false; camera.at = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, 4];
  const extent = () => {
    const look = projector(width, height), seen = points.map((point) => look(...point)), xs = seen.map((one) => one[0]), ys = seen.map((one) => one[1]);
    return { isBehind: seen.some((one) => one[2] < 1), left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  };
  // Twice: as near as everything has room, then what is seen to the middle.
  for (let turn = 0; turn < 3; turn++) {
    let low = 8, high = 900;
    for (let k = 0; k < 20; k++) {
      camera.away = (low + high) / 2;
      const { isBehind, left, right, top, bottom } = extent();
      if (isBehind || right - left > width - 2 * margin || bottom - top > height - 2 * margin) low = camera.away; else high = camera.away;
    }
    camera.away = high;
    const { left, right, top, bottom } = extent(), metres = camera.away / focalOf(width, height), c = Math.cos(camera.turn), s = Math.sin(camera.turn);
    const aside = metres * ((left + right) / 2 - width / 2), ahead = metres * (height / 2 - (top + bottom) / 2) / Math.sin(camera.tilt);
    camera.at[0] += c * aside - s * ahead; camera.at[1] += s * aside + c * ahead;
  }
}
const focalOf = (width, height) => 1.15 * Math.min(width, height * 1.35);

function projector(width, height) {
  const ct = Math.cos(camera.turn), st = Math.sin(camera.turn), cp = Math.cos(camera.tilt), sp = Math.sin(camera.tilt);
  const focal = focalOf(width, height);
  return (x, y, z) => {
    const dx = x - camera.at[0], dy = y - camera.at[1], dz = z - camera.at[2];
    const right = ct * dx + st * dy, forward = -st * dx + ct * dy;
    const depth = camera.away + cp * forward - sp * dz, up = sp * forward + cp * dz;
    const scale = focal / Math.max(1, depth);
    return [width / 2 + scale * right, height / 2 - scale * up, depth];
  };
}

// The faces of an obstacle: those of a mesh as they are, all others as prisms on their outline.
function facesOf(obstacle, see) {
  const seenFace = ({ corners, light }) => {
    const seen = corners.map((corner) => see(...corner));
    return { seen, light, depth: seen.reduce((sum, point) => sum + point[2], 0) / seen.length };
  };
  if (obstacle.triangles && obstacle.triangles.length) {
    const place = placeOf(obstacle), up = ([, , w]) => obstacle.center[2] + w * obstacle.size[2] / 2;
    return obstacle.triangles.map((one) => {
      const [a, b, c] = one, turned = Math.atan2(b[1] - a[1] + c[1] - a[1], b[0] - a[0] + c[0] - a[0]);
      return seenFace({ corners: one.map((corner) => [...place(corner), up(corner)]), light: 0.6 + 0.4 * Math.cos(turned - 0.9) });
    });
  }
  if (obstacle.shape === "sphere") return sphereFaces(obstacle).map(seenFace);
  const base = outline(obstacle), low = obstacle.center[2] - obstacle.size[2] / 2, high = obstacle.center[2] + obstacle.size[2] / 2;
  const faces = base.map((corner, k) => {
    const next = base[(k + 1) % base.length];
    const light = 0.5 + 0.5 * Math.cos(Math.atan2(next[1] - corner[1], next[0] - corner[0]) - 0.9);
    return { corners: [[...corner, low], [...next, low], [...next, high], [...corner, high]], light };
  });
  faces.push({ corners: base.map((corner) => [...corner, high]), light: 1 });
  return faces.map(seenFace);
}

function sphereFaces({ center: [cx, cy, cz], size: [across] }) {
  const faces = [], at = (k, j) => { const up = (j / 8 - 0.5) * Math.PI, turn = k / 16 * 2 * Math.PI; return [cx + across / 2 * Math.cos(up) * Math.cos(turn), cy + across / 2 * Math.cos(up) * Math.sin(turn), cz + across / 2 * Math.sin(up)]; };
  for (let k = 0; k < 16; k++) for (let j = 0; j < 8; j++) faces.push({ corners: [at(k, j), at(k + 1, j), at(k + 1, j + 1), at(k, j + 1)], light: clamp(0.25 + 0.09 * j + 0.25 * Math.cos((k + 0.5) / 16 * 2 * Math.PI - 2.4), 0, 1) });
  return faces;
}

// The outline of everything nearer to an obstacle's base than a distance: corners become arcs.
function safeOutline(obstacle, distance) {
  const base = outline(obstacle), around = [];
  base.forEach(([x, y], k) => {
    const [px, py] = base[(k + base.length - 1) % base.length], [nx, ny] = base[(k + 1) % base.length];
    const first = Math.atan2(y - py, x - px) - Math.PI / 2, turn = Math.atan2(ny - y, nx - x) - Math.PI / 2 - first;
    const bend = Math.atan2(Math.sin(turn), Math.cos(turn)), pieces = Math.max(1, Math.ceil(Math.abs(bend) / 0.3));
    for (let j = 0; j <= pieces; j++) { const angle = first + bend * j / pieces; around.push([x + distance * Math.cos(angle), y + distance * Math.sin(angle)]); }
  });
  return around;
}

function drawSpace() {
  const { pen, width, height } = sheet(byId("space"));
  const { test, run } = state;
  if (!test || !width) return;
  if (camera.isDue) frameFlight(width, height);
  const see = projector(width, height), flat = (x, y, z = 0) => see(x, y, z).slice(0, 2);
  const edges = bounds(test, [run]);
  const box = [0, 1, 2, 3].map((k) => (k < 2 ? Math.floor(Math.min(edges[k], data.arena[k]) / 10) : Math.ceil(Math.max(edges[k], data.arena[k]) / 10)) * 10);
  for (let x = box[0]; x <= box[2]; x += 10) line(pen, [flat(x, box[1]), flat(x, box[3])], colour("line"), 1);
  for (let y = box[1]; y <= box[3]; y += 10) line(pen, [flat(box[0], y), flat(box[2], y)], colour("line"), 1);
  const [aw, as, ae, an] = data.arena;
  line(pen, [[aw, as], [ae, as], [ae, an], [aw, an], [aw, as]].map(([x, y]) => flat(x, y)), colour("faint"), 1, [4, 4]);
  line(pen, data.route.map((point) => flat(...point)), colour("route"), 1.3, [6, 5]);
  // Shadow of the path on the ground: height becomes readable.
  pen.globalAlpha = 0.25; line(pen, run.x.map((x, k) => flat(x, run.y[k])), colour("ink"), 1.5); pen.globalAlpha = 1;
  for (const still of test.obstacles) {
    // The safe distance at the height of the flight, and where it stands on the ground.
    const around = safeOutline(placed(still, state.time), data.soft_below_m), height = poseAt(run, state.time).z;
    pen.beginPath(); around.forEach(([x, y], k) => { const [px, py] = flat(x, y, height); if (k) pen.lineTo(px, py); else pen.moveTo(px, py); }); pen.closePath();
    pen.globalAlpha = 0.13; pen.fillStyle = colour("amber"); pen.fill(); pen.globalAlpha = 1;
    line(pen, [...around, around[0]].map(([x, y]) => flat(x, y, height)), colour("amber"), 1, [4, 4]);
  }
  const shapes = test.obstacles.map((still) => placed(still, state.time)).flatMap((obstacle) => facesOf(obstacle, see));
  const middle = run.x.map((x, k) => see(x, run.y[k], run.z[k])[2]);
  const pose = poseAt(run, state.time), dot = see(pose.x, pose.y, pose.z);
  shapes.sort((a, b) => b.depth - a.depth);
  // Stretches of the path are drawn between the faces, far ones first.
  const pieces = [];
  for (let k = 0; k + 1 < run.x.length; k++) {
    pieces.push({ k, depth: (middle[k] + middle[k + 1]) / 2 - 0.5 });
  }
  pieces.sort((a, b) => b.depth - a.depth);
  let next = 0;
  const piecesBehind = (depth) => {
    for (; next < pieces.length && pieces[next].depth > depth; next++) {
      const { k } = pieces[next];
      line(pen, [flat(run.x[k], run.y[k], run.z[k]), flat(run.x[k + 1], run.y[k + 1], run.z[k + 1])], distanceColour(run.d[k]), 2.6);
    }
  };
  for (const face of shapes) {
    piecesBehind(face.depth);
    // Lit from one side and nearly solid: what is behind stays behind.
    pen.globalAlpha = 0.86; fillOutline(pen, face.seen, colour("card"), colour("box"));
    pen.globalAlpha = 0.62 - 0.45 * face.light; fillOutline(pen, face.seen, colour("box"), colour("box"));
    pen.globalAlpha = 1;
  }
  piecesBehind(-Infinity);
  line(pen, [flat(pose.x, pose.y, pose.z), flat(pose.x, pose.y)], colour("faint"), 1, [2, 3]);
  if (run.nearest) {
    const [x, y] = flat(run.nearest.x, run.nearest.y, run.nearest.z);
    pen.beginPath(); pen.arc(x, y, 7, 0, 7); pen.strokeStyle = distanceColour(run.distance_m); pen.lineWidth = 2; pen.stroke();
  }
  pen.beginPath(); pen.arc(dot[0], dot[1], 5.5, 0, 7); pen.fillStyle = colour("ink"); pen.strokeStyle = colour("card");
  pen.lineWidth = 1.5; pen.fill(); pen.stroke();
}
watchers.push(drawSpace);

function zoomSpace(factor) { camera.away = clamp(camera.away / factor, 8, 900); redraw(); }

(function handleCamera() {
  const canvas = byId("space");
  let held = null;
  canvas.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    const dx = event.clientX - held[0], dy = event.clientY - held[1];
    held = [event.clientX, event.clientY];
    if (event.shiftKey) {
      const size = camera.away / canvas.clientHeight, c = Math.cos(camera.turn), s = Math.sin(camera.turn);
      camera.at[0] -= size * (c * dx + s * dy); camera.at[1] -= size * (s * dx - c * dy);
    } else {
      camera.turn -= 0.008 * dx; camera.tilt = clamp(camera.tilt + 0.006 * dy, 0.05, 1.55);
    }
    redraw();
  });
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoomSpace(Math.exp(-0.0012 * event.deltaY)); }, { passive: false });
  // The same by keyboard.
  canvas.tabIndex = 0;
  const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  canvas.addEventListener("keydown", (event) => {
    const way = turns[event.key], isZoom = ["+", "=", "-"].includes(event.key);
    if (event.ctrlKey || event.metaKey || event.altKey || !way && !isZoom) return;
    event.preventDefault(); event.stopPropagation();
    if (isZoom) { zoomSpace(event.key === "-" ? 0.8 : 1.25); return; }
    camera.turn -= 0.1 * way[0]; camera.tilt = clamp(camera.tilt + 0.08 * way[1], 0.05, 1.55); redraw();
  });
})();
