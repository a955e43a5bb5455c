// Drawing in plan view: ground, route, obstacles, path. Shared by report and studio.
function bounds(test, runs) {
  const xs = [], ys = [];
  for (const [x, y] of data.route) { xs.push(x); ys.push(y); }
  for (const obstacle of test ? test.obstacles : tests.flatMap((t) => t.obstacles)) {
    for (const [x, y] of outline(obstacle)) { xs.push(x); ys.push(y); }
    if (obstacle.motion) for (const [x, y] of [...obstacle.motion.via, obstacle.motion.to]) { xs.push(x); ys.push(y); }
  }
  for (const run of runs) { xs.push(Math.min(...run.x), Math.max(...run.x)); ys.push(Math.min(...run.y), Math.max(...run.y)); }
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function mapScale(width, height, [west, south, east, north], margin) {
  const scale = Math.min((width - 2 * margin) / Math.max(1, east - west), (height - 2 * margin) / Math.max(1, north - south));
  const left = (width - scale * (east - west)) / 2, low = (height + scale * (north - south)) / 2;
  const to = (x, y) => [left + scale * (x - west), low - scale * (y - south)];
  return { to, scale };
}

function drawGround(pen, width, height, box, to, scale) {
  const [aw, as, ae, an] = data.arena, [x0, y0] = to(aw, an), [x1, y1] = to(ae, as);
  pen.fillStyle = colour("ground"); pen.fillRect(x0, y0, x1 - x0, y1 - y0);
  const shown = [[0, height], [width, 0]].map(([x, y]) => [box[0] + (x - to(box[0], 0)[0]) / scale, box[1] - (y - to(0, box[1])[1]) / scale]);
  const every = step(Math.max(box[2] - box[0], box[3] - box[1]), 7);
  pen.fillStyle = colour("faint"); pen.textAlign = "center";
  for (let x = Math.ceil(shown[0][0] / every) * every; x <= shown[1][0]; x += every) {
    const [px] = to(x, 0); line(pen, [[px, 0], [px, height]], colour("line"), 1);
    if (px > 30) pen.fillText(String(x), px, height - 6);
  }
  pen.textAlign = "left";
  for (let y = Math.ceil(shown[0][1] / every) * every; y <= shown[1][1]; y += every) {
    const [, py] = to(0, y); line(pen, [[0, py], [width, py]], colour("line"), 1);
    if (py < height - 20 && py > 16) pen.fillText(String(y), 6, py - 4);
  }
  pen.strokeStyle = colour("faint"); pen.setLineDash([4, 4]); pen.lineWidth = 1;
  pen.strokeRect(x0, y0, x1 - x0, y1 - y0); pen.setLineDash([]);
}

function drawRoute(pen, to) {
  const points = data.route.map(([x, y]) => to(x, y));
  line(pen, points, colour("route"), 1.5, [6, 5]);
  points.forEach(([x, y], index) => {
    pen.beginPath(); pen.arc(x, y, index ? 3.5 : 5, 0, 7); pen.fillStyle = index ? colour("route") : colour("card");
    pen.strokeStyle = colour("route"); pen.lineWidth = 2; pen.fill(); pen.stroke();
  });
}

function fillOutline(pen, corners, face, edge) {
  pen.beginPath(); corners.forEach(([x, y], k) => k ? pen.lineTo(x, y) : pen.moveTo(x, y)); pen.closePath();
  pen.fillStyle = face; pen.fill(); pen.strokeStyle = edge; pen.lineWidth = 1.2; pen.stroke();
}

// The path in stretches of one colour: red where it was too near.
function drawPath(pen, run, to, width) {
  let start = 0;
  for (let k = 1; k <= run.x.length; k++) {
    const here = distanceColour(run.d[start]);
    if (k === run.x.length || distanceColour(run.d[k]) !== here) {
      const points = [];
      for (let j = start; j <= Math.min(k, run.x.length - 1); j++) points.push(to(run.x[j], run.y[j], run.z[j]));
      line(pen, points, here, width); start = k;
    }
  }
}
