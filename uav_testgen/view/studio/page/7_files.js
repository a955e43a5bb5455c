// Files of the folder, uploads, saving.
function report(place, error) { place.textContent = error ? error.message : ""; place.hidden = !error; }
const allowLeaving = () => !isDirty() || scene.path === null && !scene.past.length || confirm("The scene has changes that are not saved. Leave them?");
async function openFile(path, place) {
  if (!allowLeaving()) return;
  report(place, null);
  try { const found = await ask(`/api/scene?path=${encodeURIComponent(path)}&mission=${encodeURIComponent(worldMission())}`); openScene(found.scene, found.path, found.stamp); sayNotes(found.notes); } catch (error) { report(place, error); }
}
// A Gazebo world holds no mission: it is opened with this one.
const worldMission = () => byId("world-mission")?.value || choices.missions[0];
function sayNotes(notes) { byId("scene-notes").textContent = (notes || []).join("; "); byId("scene-notes").hidden = !(notes || []).length; }
// One for all listings: what went wrong with a file stays in sight when a newer list of files arrives.
const fileTrouble = element("p", { class: "error", role: "alert", hidden: "" });
async function showFiles() {
  const box = byId("view-files");
  report(fileTrouble, null);
  const upload = element("input", { type: "file", accept: choices.suffixes.join(","), id: "upload" });
  upload.addEventListener("change", async () => {
    const [file] = upload.files; if (!file || !allowLeaving()) return;
    try { const found = await ask(`/api/parse?name=${encodeURIComponent(file.name)}&mission=${encodeURIComponent(worldMission())}`, file); openScene(found.scene, null, null); sayNotes(found.notes); } catch (error) { report(fileTrouble, error); }
  });
  let files = [];
  try { ({ files } = await ask("/api/files")); } catch (error) { report(fileTrouble, error); }
  const rows = files.map(({ path, bytes }) => {
    const button = element("button", { type: "button" }, "Open"); button.setAttribute("aria-label", `Open ${path}`); button.addEventListener("click", () => openFile(path, fileTrouble));
    return element("tr", { class: path === scene.path ? "chosen" : "" }, element("td", { class: "name" }, path), element("td", { class: "num" }, `${number(bytes / 1024, 1)} kB`), element("td", { class: "num" }, button));
  });
  box.replaceChildren(element("h1", {}, "Files"), element("p", { class: "sub" }, `Scenes in the folder “${choices.folder}”: YAML or JSON of uav_testgen, Aerialist tests, logical scenarios, missions (.plan), Gazebo worlds.`),
    element("p", { class: "one-line" }, element("label", {}, "Open a file from elsewhere: ", upload), element("label", {}, "Mission for Gazebo worlds: ", element("select", { id: "world-mission" }, ...choices.missions.map((name) => element("option", { value: name }, name))))), fileTrouble,
    rows.length ? element("table", { class: "list" }, element("thead", {}, element("tr", {}, element("th", {}, "File"), element("th", { class: "num" }, "Size"), element("th", {}))), element("tbody", {}, ...rows))
      : emptyState("No scene here yet. Draw one and press Save, or begin with one of the gallery.", "Open the gallery", () => go("gallery")));
}

function fileName() { return scene.path ? scene.path : `${(scene.now.name || "scene").replace(/[^\w.-]+/g, "_").replace(/^[_.]+/, "") || "scene"}.yaml`; }
function askToSave() {
  byId("save-path").value = fileName(); report(byId("save-error"), null); byId("save-note").hidden = true; byId("save-cancel").textContent = "Cancel"; fitFormat(); byId("save-go").textContent = "Save"; delete byId("save-go").dataset.overwrite;
  byId("save-dialog").showModal(); byId("save-path").select();
}
byId("save-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = byId("save-go"), path = byId("save-path").value.trim();
  try {
    const found = await ask("/api/save", { path, scene: scene.now, format: byId("save-format").value, stamp: path === scene.path ? scene.stamp : null, overwrite: button.dataset.overwrite === path });
    const isWhole = !found.cannot_hold.length;
    if (isWhole || byId("save-format").value.startsWith("aerialist")) { scene.path = found.path; scene.stamp = found.stamp; scene.saved = JSON.stringify(scene.now); }
    showBar(); keepDraft(); report(byId("save-error"), null);
    if (isWhole) { byId("save-dialog").close(); return; }
    byId("save-note").textContent = `Written: ${found.files.join(", ")}. The format cannot hold ${found.cannot_hold.join(", ")}.`; byId("save-note").hidden = false; byId("save-cancel").textContent = "Close";
  } catch (error) {
    report(byId("save-error"), error);
    if (error.status === 409) { button.textContent = "Overwrite"; button.dataset.overwrite = path; }
  }
});
// The ending of the name and the format go together.
function fitFormat() {
  const ending = (byId("save-path").value.match(/\.\w+$/) || [".yaml"])[0].toLowerCase().replace(".yml", ".yaml").replace(".sdf", ".world"), choice = byId("save-format");
  if (choice.selectedOptions[0]?.dataset.ending !== ending) { const fitting = [...choice.options].findIndex((one) => one.dataset.ending === ending); if (fitting >= 0) choice.selectedIndex = fitting; }
}
byId("save-format").addEventListener("change", () => { const { ending } = byId("save-format").selectedOptions[0].dataset; byId("save-path").value = byId("save-path").value.replace(/(\.\w+)?$/, ending); });
byId("save-path").addEventListener("change", fitFormat);
byId("save-path").addEventListener("input", () => { byId("save-go").textContent = "Save"; delete byId("save-go").dataset.overwrite; });
byId("save-cancel").addEventListener("click", () => byId("save-dialog").close());
byId("save").addEventListener("click", askToSave);
registerRoom({ name: "files", label: "Files", order: 20, icon: "M4 7h6l2 2h8v10H4z", show: showFiles });
