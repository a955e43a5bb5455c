// The report's plan views: one flight, and all obstacles of the suite.
function drawMap() {
  const { pen, width, height } = sheet(byId("map"));
  const { test, run } = state;
  if (!test) return;
  const box = bounds(test, [run]);
  const { to, scale } = mapScale(width, height, box, 26);
  drawGround(pen, width, height, box, to, scale);
  drawRoute(pen, to);
  for (const still of test.obstacles) {
    const obstacle = placed(still, state.time);
    fillOutline(pen, outline(obstacle).map(([x, y]) => to(x, y)), colour("box-face"), colour("box"));
    if (obstacle.name) {
      const [x, y] = to(...obstacle.center);
      pen.fillStyle = colour("ink"); pen.textAlign = "center"; pen.fillText(obstacle.name.slice(0, 24), x, y + 4);
    }
  }
  pen.globalAlpha = 0.3;
  test.runs.filter((other) => other !== run).forEach((other) => line(pen, other.x.map((x, k) => to(x, other.y[k])), colour("path"), 1));
  pen.globalAlpha = 1;
  drawPath(pen, run, to, 2.6);
  if (run.nearest) {
    const [x, y] = to(run.nearest.x, run.nearest.y);
    pen.beginPath(); pen.arc(x, y, 8, 0, 7); pen.strokeStyle = distanceColour(run.distance_m); pen.lineWidth = 2; pen.stroke();
    pen.fillStyle = distanceColour(run.distance_m); pen.textAlign = "left"; pen.font = "600 12px system-ui, sans-serif";
    pen.fillText(`${run.distance_m === null ? "" : number(run.distance_m) + " m"}`, x + 12, y - 8);
  }
  const pose = poseAt(run, state.time), [x, y] = to(pose.x, pose.y);
  pen.save(); pen.translate(x, y); pen.rotate(-pose.yaw);
  pen.beginPath(); pen.moveTo(11, 0); pen.lineTo(-7, 6.5); pen.lineTo(-3.5, 0); pen.lineTo(-7, -6.5); pen.closePath();
  pen.fillStyle = colour("ink"); pen.strokeStyle = colour("card"); pen.lineWidth = 1.5; pen.fill(); pen.stroke(); pen.restore();
}

function drawOverlay() {
  const { pen, width, height } = sheet(byId("overlay"));
  const box = bounds(null, []);
  const { to, scale } = mapScale(width, height, box, 22);
  drawGround(pen, width, height, box, to, scale);
  for (const test of tests) for (const obstacle of test.obstacles) {
    const mine = test === state.test;
    pen.globalAlpha = mine ? 1 : Math.max(0.12, 0.5 / Math.sqrt(tests.length));
    fillOutline(pen, outline(obstacle).map(([x, y]) => to(x, y)), mine ? colour("box-face") : colour("accent"), mine ? colour("accent") : colour("card"));
  }
  pen.globalAlpha = 1;
  drawRoute(pen, to);
}
watchers.push(drawMap);
