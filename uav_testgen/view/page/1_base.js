"use strict";
// Everything shown comes from this one JSON element. Text is only ever set as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const tests = data.tests;

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "class") made.className = value; else made.setAttribute(key, value);
  }
  for (const child of children) made.append(child instanceof Node ? child : String(child));
  return made;
}

// What became of a flight. Where requirements were given they decide, and a flight that breaks one need not have been near.
const outcomeWords = { hard_fail: "▲ collides", soft_fail: "▲ too close", pass: "● safe", incomplete: "◆ incomplete", inconclusive: "◆ cannot tell", unfinished: "◆ still flying" };
const outcomeWord = (outcome, isRequired = false) => isRequired && outcome === "soft_fail" ? "▲ violates" : outcomeWords[outcome] || outcome;

const number = (value, digits = 2) => value === null || value === undefined ? "–" : value.toFixed(digits);
const percent = (value) => value === null || value === undefined ? "–" : `${Math.round(100 * value)} %`;
// An estimated probability is never said to be more certain than has been seen; the same words as statistics/percent.py.
const probability = (value) => {
  if (value === null || value === undefined) return "–";
  if (value > 0.95) return "more than 95 %";
  return value < 0.01 ? "less than 1 %" : percent(value);
};
// Where nothing is calibrated there is no probability: the runs are counted instead.
const chanceText = (prediction, limitM) => prediction.failure_probability === null ? `${percent(prediction.share_too_close)} of the runs closer than ${limitM} m` : `${probability(prediction.failure_probability)} likely closer than ${limitM} m`;
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

// A canvas in CSS pixels, sharp on every screen. Returns the context and its size.
function sheet(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = "12px system-ui, 'Segoe UI', 'Noto Sans', 'Liberation Sans', Arial, sans-serif";
  pen.lineJoin = pen.lineCap = "round";
  return { pen, width, height };
}

function distanceColour(metres) {
  if (metres === null || metres === undefined) return colour("path");
  if (metres < data.soft_below_m) return colour("hard");
  return colour("path");
}

// Round step for an axis with about `count` ticks.
function step(span, count) {
  const raw = span / Math.max(1, count), power = 10 ** Math.floor(Math.log10(raw || 1));
  return [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw) || 10 * power;
}

function line(pen, points, style, width, dash) {
  if (points.length < 2) return;
  pen.beginPath();
  pen.strokeStyle = style; pen.lineWidth = width; pen.setLineDash(dash || []);
  points.forEach(([x, y], index) => index ? pen.lineTo(x, y) : pen.moveTo(x, y));
  pen.stroke(); pen.setLineDash([]);
}

// A place in an obstacle's own axes, given in shares of its half sizes.
function placeOf(obstacle) {
  const [cx, cy] = obstacle.center, [sx, sy] = obstacle.size, c = Math.cos(obstacle.yaw), s = Math.sin(obstacle.yaw);
  return ([u, v]) => {
    const x = u * sx / 2, y = v * sy / 2;
    return [cx + c * x - s * y, cy + s * x + c * y];
  };
}

// Corners of an obstacle's base, counter-clockwise; round ones as polygons, meshes as the hull of their footprint.
function outline(obstacle) {
  const [cx, cy] = obstacle.center, [sx] = obstacle.size;
  if (!forms[obstacle.shape].turns) {
    return Array.from({ length: 32 }, (_, k) => [cx + sx / 2 * Math.cos(k * Math.PI / 16), cy + sx / 2 * Math.sin(k * Math.PI / 16)]);
  }
  const own = obstacle.triangles && obstacle.triangles.length ? hull(obstacle.triangles.flat()) : [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  return own.map(placeOf(obstacle));
}

// Corners of the convex hull of points in the plane, counter-clockwise.
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered) => {
    const kept = [];
    for (const p of ordered) {
      for (let n = kept.length; n > 1; n = kept.length) {
        const [a, b] = [kept[n - 2], kept[n - 1]];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        kept.pop();
      }
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

// Where a moving obstacle is at a time (resting ones stay).
function placed(obstacle, time) {
  const motion = obstacle.motion;
  if (!motion) return obstacle;
  const corners = [obstacle.center, ...motion.via, motion.to];
  const legs = corners.slice(1).map((end, k) => Math.hypot(...end.map((value, axis) => value - corners[k][axis])));
  const length = legs.reduce((sum, leg) => sum + leg, 0);
  if (!length) return obstacle;
  let way = Math.max(0, time - motion.start) * motion.speed;
  if (motion.mode === "once") way = Math.min(length, way);
  else { way %= 2 * length; if (way > length) way = 2 * length - way; }
  let leg = 0;
  while (leg < legs.length - 1 && way > legs[leg]) way -= legs[leg++];
  const share = legs[leg] ? Math.min(1, way / legs[leg]) : 1;
  const from = corners[leg], to = corners[leg + 1];
  return { ...obstacle, center: from.map((start, axis) => start + share * (to[axis] - start)) };
}

// State shared by all views of the chosen flight.
const state = { test: null, run: null, time: 0, playing: false };
const watchers = [];
const redraw = () => watchers.forEach((draw) => draw());

// Index of the last sample not after a time, and the pose between samples.
function poseAt(run, time) {
  const t = run.t;
  let low = 0, high = t.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (t[middle] <= time) low = middle; else high = middle - 1; }
  const next = Math.min(low + 1, t.length - 1), span = t[next] - t[low];
  const share = span > 0 ? clamp((time - t[low]) / span, 0, 1) : 0;
  const mix = (list) => list[low] + share * (list[next] - list[low]);
  const turn = Math.atan2(Math.sin(run.yaw[next] - run.yaw[low]), Math.cos(run.yaw[next] - run.yaw[low]));
  return { index: low, x: mix(run.x), y: mix(run.y), z: mix(run.z), yaw: run.yaw[low] + share * turn, distance: run.nearest && Math.abs(time - run.nearest.t) < 0.05 ? run.distance_m : run.d.length ? mix(run.d) : null };
}
