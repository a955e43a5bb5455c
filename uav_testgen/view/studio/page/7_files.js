// Files of the folder, uploads, the gallery of shipped scenes, saving.
function report(place, error) { place.textContent = error ? error.message : ""; place.hidden = !error; }
const allowLeaving = () => !isDirty() || scene.path === null && !scene.past.length || confirm("The scene has changes that are not saved. Leave them?");
async function openFile(path, place) {
  if (!allowLeaving()) return;
  try { const found = await ask(`/api/scene?path=${encodeURIComponent(path)}`); openScene(found.scene, found.path, found.stamp); } catch (error) { report(place, error); }
}
async function showFiles() {
  const box = byId("view-files"), trouble = element("p", { class: "error", role: "alert", hidden: "" });
  const upload = element("input", { type: "file", accept: ".yaml,.yml,.json,.plan", id: "upload" });
  upload.addEventListener("change", async () => {
    const [file] = upload.files; if (!file || !allowLeaving()) return;
    try { const found = await ask(`/api/parse?name=${encodeURIComponent(file.name)}`, file); openScene(found.scene, null, null); } catch (error) { report(trouble, error); }
  });
  let files = [];
  try { ({ files } = await ask("/api/files")); } catch (error) { report(trouble, error); }
  const rows = files.map(({ path, bytes }) => {
    const button = element("button", { type: "button" }, "Open"); button.setAttribute("aria-label", `Open ${path}`); button.addEventListener("click", () => openFile(path, trouble));
    return element("tr", { class: path === scene.path ? "chosen" : "" }, element("td", { class: "name" }, path), element("td", { class: "num" }, `${number(bytes / 1024, 1)} kB`), element("td", { class: "num" }, button));
  });
  box.replaceChildren(element("h1", {}, "Files"), element("p", { class: "sub" }, `Scenes in the folder “${choices.folder}”: our own YAML or JSON, Aerialist tests, missions (.plan).`),
    element("p", {}, element("label", {}, "Open a file from elsewhere: ", upload)), trouble,
    rows.length ? element("table", { class: "list" }, element("thead", {}, element("tr", {}, element("th", {}, "File"), element("th", { class: "num" }, "Size"), element("th", {}))), element("tbody", {}, ...rows))
      : element("p", { class: "empty" }, "No scene here yet. Draw one and press Save, or begin with one of the gallery."));
}

function thumbnail(found) {
  const { arena } = found, points = [found.mission.home_enu_m, ...found.mission.waypoints.map((one) => one.position_enu_m)];
  const xs = [arena.east_min_m, arena.east_max_m, ...points.map((p) => p[0])], ys = [arena.north_min_m, arena.north_max_m, ...points.map((p) => p[1])];
  const [w, e, s, n] = [Math.min(...xs) - 4, Math.max(...xs) + 4, Math.min(...ys) - 4, Math.max(...ys) + 4], spot = (list) => list.map(([x, y]) => `${x},${-y}`).join(" ");
  return svgNode("svg", { viewBox: `${w} ${-n} ${e - w} ${n - s}`, "aria-hidden": "true" }, svgNode("rect", { class: "arena", x: arena.east_min_m, y: -arena.north_max_m, width: arena.east_max_m - arena.east_min_m, height: arena.north_max_m - arena.north_min_m }),
    ...found.obstacles.map((one) => svgNode("polygon", { class: "shape", points: spot(outline(obstacleShown(one))), "stroke-width": 0.5 })), svgNode("polyline", { class: "route", points: spot(points), "stroke-width": 0.7 }));
}
async function showGallery() {
  const box = byId("view-gallery"), trouble = element("p", { class: "error", role: "alert", hidden: "" });
  const card = async (path, title, note) => {
    const found = (await ask(path)).scene;
    const button = element("button", { type: "button", class: "scene-card" }, thumbnail(found), element("span", {}, title, element("small", {}, note(found))));
    button.addEventListener("click", () => { if (allowLeaving()) openScene(found, null, null); });
    return button;
  };
  const legs = (found) => `${found.mission.waypoints.length} waypoint${found.mission.waypoints.length === 1 ? "" : "s"}, ${found.obstacles.length || "no"} obstacle${found.obstacles.length === 1 ? "" : "s"}`;
  let scenes = [], missions = [];
  try {
    scenes = await Promise.all(choices.scenes.map((name) => card(`/api/gallery/${encodeURIComponent(name)}`, name.replaceAll("_", " "), legs)));
    missions = await Promise.all(choices.missions.map((name) => card(`/api/empty/${encodeURIComponent(name)}/sbft2025`, name, legs)));
  } catch (error) { report(trouble, error); }
  box.replaceChildren(element("h1", {}, "Gallery"), element("p", { class: "sub" }, "Shipped scenes to begin with. They open as copies; saving writes into your folder."), trouble,
    element("h2", {}, "Scenes"), element("div", { class: "cards" }, ...scenes), element("h2", {}, "Missions without obstacles"), element("div", { class: "cards" }, ...missions));
}

function fileName() { return scene.path && /\.ya?ml$/.test(scene.path) ? scene.path : `${(scene.now.name || "scene").replace(/[^\w.-]+/g, "_").replace(/^[_.]+/, "") || "scene"}.yaml`; }
function askToSave() {
  byId("save-path").value = fileName(); report(byId("save-error"), null); byId("save-go").textContent = "Save"; delete byId("save-go").dataset.overwrite;
  byId("save-dialog").showModal(); byId("save-path").select();
}
byId("save-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = byId("save-go"), path = byId("save-path").value.trim();
  try {
    const found = await ask("/api/save", { path, scene: scene.now, format: byId("save-format").value, stamp: path === scene.path ? scene.stamp : null, overwrite: button.dataset.overwrite === path });
    scene.path = found.path; scene.stamp = found.stamp; scene.saved = JSON.stringify(scene.now); byId("save-dialog").close(); showBar(); keepDraft();
  } catch (error) {
    report(byId("save-error"), error);
    if (error.status === 409) { button.textContent = "Overwrite"; button.dataset.overwrite = path; }
  }
});
byId("save-path").addEventListener("input", () => { byId("save-go").textContent = "Save"; delete byId("save-go").dataset.overwrite; });
byId("save-cancel").addEventListener("click", () => byId("save-dialog").close());
byId("save").addEventListener("click", askToSave);
registerRoom({ name: "files", label: "Files", order: 20, icon: "M4 7h6l2 2h8v10H4z", show: showFiles });
registerRoom({ name: "gallery", label: "Gallery", order: 90, icon: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z", show: showGallery });
