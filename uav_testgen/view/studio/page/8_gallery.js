// Gallery of shipped scenes: picture, what it shows, verdict, command; each opens as a copy in the editor.
function thumbnail(found) {
  const { arena } = found, points = [found.mission.home_enu_m, ...found.mission.waypoints.map((one) => one.position_enu_m)], corners = found.obstacles.flatMap((one) => outline(obstacleShown(one)));
  const xs = [...points, ...corners].map((p) => p[0]), ys = [...points, ...corners].map((p) => p[1]), middle = (Math.min(...ys) + Math.max(...ys)) / 2;
  const [w, e, s, n] = [Math.min(...xs) - 5, Math.max(...xs) + 5, Math.min(...ys, middle - 12) - 4, Math.max(...ys, middle + 12) + 4], spot = (list) => list.map(([x, y]) => `${x},${-y}`).join(" ");
  const ring = found.obstacles.map((one) => svgNode("polygon", { class: "shape", points: spot(outline(obstacleShown(one))), "stroke-width": 0.4 }));
  return svgNode("svg", { viewBox: `${w} ${-n} ${e - w} ${n - s}`, "aria-hidden": "true" }, svgNode("rect", { class: "arena", x: arena.east_min_m, y: -arena.north_max_m, width: arena.east_max_m - arena.east_min_m, height: arena.north_max_m - arena.north_min_m }), ...ring, svgNode("polyline", { class: "route", points: spot(points), "stroke-width": 0.5 }), svgNode("g", { class: "flown" }));
}
function drawFlown(card, { prediction, paths }) {
  const spot = (path) => path.x.map((x, k) => `${x},${-path.y[k]}`).join(" "), [nominal, ...drawn] = paths, { nearest } = nominal;
  card.querySelector(".flown").replaceChildren(...drawn.map((path) => svgNode("polyline", { class: "ghost", points: spot(path), "stroke-width": 0.35 })), svgNode("polyline", { class: "path", points: spot(nominal), "stroke-width": 0.8 }), ...(nearest ? [svgNode("circle", { class: `nearest${nominal.outcome === "pass" ? "" : " bad"}`, cx: nearest.x, cy: -nearest.y, r: 1.6, "stroke-width": 0.6 })] : []));
  const chance = prediction.failure_probability ?? prediction.share_too_close, isUnsure = chance > 0.1 && chance < 0.9, pill = card.querySelector(".pill");
  pill.textContent = isUnsure ? "◆ uncertain" : outcomeWord(nominal.outcome); pill.className = `pill ${isUnsure ? "incomplete" : nominal.outcome}`;
  card.querySelector(".said").textContent = prediction.distance_m === null ? prediction.counts : `${number(prediction.distance_m)} m predicted${prediction.distance_interval ? `, in reality ${prediction.distance_interval.text}` : ""} · ${chanceText(prediction, data.soft_below_m)}`.replace(/ (%|m\b)/g, "\u00a0$1").replaceAll("–", "\u2060–\u2060");
}
function galleryCard(one) {
  const open = element("button", { type: "button", class: "primary", "aria-label": `Open ${one.title} in the editor` }, "Open"), command = element("code", {}, one.command), { obstacles, mission } = one.scene;
  open.addEventListener("click", () => { if (allowLeaving()) openScene(copyOf(one.scene), null, null); });
  return element("article", { class: "gallery-card", "data-scene": one.name }, thumbnail(one.scene), element("div", {}, element("p", { class: "gallery-head" }, element("b", {}, one.title), element("span", { class: "pill open" }, "…")), element("p", {}, one.text || `${mission.waypoints.length} waypoint${mission.waypoints.length === 1 ? "" : "s"}, ${obstacles.length} obstacle${obstacles.length === 1 ? "" : "s"}.`), element("p", { class: "quiet said" }, "predicting…"), element("p", { class: "gallery-foot" }, command, open)));
}
async function showGallery(box) {
  if (box.querySelector(".gallery-card")) return;
  const trouble = element("p", { class: "error", role: "alert", hidden: "" }), cards = element("div", { class: "gallery-cards" }), missions = element("div", { class: "cards" });
  box.replaceChildren(element("h1", {}, "Gallery"), element("p", { class: "sub" }, "Shipped scenes that show what can happen. They open as copies; saving writes into your folder."), trouble, cards, element("h2", {}, "Missions without obstacles"), missions);
  try {
    const { scenes } = await ask("/api/gallery");
    cards.replaceChildren(...scenes.map(galleryCard));
    for (const name of choices.missions) {
      const found = (await ask(`/api/empty/${encodeURIComponent(name)}/sbft2025`)).scene, stops = found.mission.waypoints.length;
      const button = element("button", { type: "button", class: "scene-card" }, thumbnail(found), element("span", {}, name, element("small", {}, `${stops} waypoint${stops === 1 ? "" : "s"}`)));
      button.addEventListener("click", () => { if (allowLeaving()) openScene(found, null, null); }); missions.append(button);
    }
    // One after the other: the pointer's flights in the editor come first.
    for (const { name } of scenes) { const card = cards.querySelector(`[data-scene="${CSS.escape(name)}"]`); try { drawFlown(card, await ask(`/api/gallery/${encodeURIComponent(name)}/prediction`)); } catch (error) { card.querySelector(".said").textContent = error.message; } }
  } catch (error) { report(trouble, error); }
}
registerRoom({ name: "gallery", label: "Gallery", order: 90, icon: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z", show: showGallery });
