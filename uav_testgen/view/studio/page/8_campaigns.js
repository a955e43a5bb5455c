// Campaigns: started, watched, stopped and resumed; the folder is the one the command line writes.
const campaigns = { path: null, timer: null, shown: null, found: null };
const campaignDefaults = () => ({ name: `search-${new Date().toISOString().slice(0, 16).replace(/[-:]/g, "").replace("T", "-")}`, case: "mission2", generator: "prgen", simulations: 300, repeats: 5, seed: 1 });

function campaignForm(trouble) {
  const start = campaignDefaults(), inputs = {};
  const entry = (key, label, attributes, words) => {
    inputs[key] = words ? element("select", {}, ...words.map((word) => element("option", { value: word }, word))) : element("input", attributes);
    inputs[key].value = start[key]; return element("label", {}, label, inputs[key]);
  };
  const go = element("button", { type: "submit", class: "primary" }, "Start search");
  const form = element("form", { class: "form", id: "campaign-form" }, entry("name", "Folder", { type: "text", maxlength: 80, required: "" }), entry("case", "Mission", {}, choices.missions), entry("generator", "Generator", {}, choices.generators),
    entry("simulations", "Scenes to fly", { type: "number", min: 1, max: 1000000, step: 1 }), entry("repeats", "Drawn runs each", { type: "number", min: 0, max: 1000, step: 1 }), entry("seed", "Seed", { type: "number", min: 0, step: 1 }), go);
  form.addEventListener("submit", async (event) => {
    event.preventDefault(); go.disabled = true;
    const count = (key) => Math.round(inputs[key].valueAsNumber);
    const settings = { case: inputs.case.value, generator: inputs.generator.value, seed: count("seed"), batch_size: Math.min(32, Math.max(4, Math.ceil(count("simulations") / 8))), budget: { simulations: count("simulations") }, screening: { repeats: count("repeats") } };
    try { const { path } = await ask("/api/campaigns", { name: inputs.name.value.trim(), settings }); report(trouble, null); watchCampaign(path); inputs.name.value = campaignDefaults().name; } catch (error) { report(trouble, error); }
    go.disabled = false;
  });
  return form;
}
function showCampaigns() {
  const box = byId("view-campaigns"), trouble = element("p", { class: "error", role: "alert", hidden: "" });
  if (!byId("campaign-form")) {
    box.replaceChildren(element("h1", {}, "Campaigns"), element("p", { class: "sub" }, "A search for scenes in which the drone comes too close. It runs on its own, also when this page or the studio is closed; the command line can resume it."),
      element("section", { class: "card" }, element("h2", {}, "New search"), campaignForm(trouble), trouble), element("section", { class: "card" }, element("h2", {}, "In this folder"), element("div", { id: "campaign-list" })), element("section", { class: "card", id: "campaign-detail", hidden: "" }));
  }
  refreshCampaigns();
}
async function refreshCampaigns() {
  clearTimeout(campaigns.timer);
  if (!isShown("campaigns")) return;
  try {
    const { campaigns: list } = await ask("/api/campaigns");
    showCampaignList(list);
    if (campaigns.path) { campaigns.found = await ask(`/api/campaign?path=${encodeURIComponent(campaigns.path)}`); showCampaign(); }
  } catch (error) { byId("campaign-list").replaceChildren(element("p", { class: "error", role: "alert" }, error.message)); }
  campaigns.timer = setTimeout(refreshCampaigns, 1000);
}
const stateWord = { running: "▶ running", finished: "✓ finished", stopped: "■ stopped" };
function showCampaignList(list) {
  const text = JSON.stringify([list, campaigns.path]);
  if (text === campaigns.shown) return;
  campaigns.shown = text;
  const rows = list.map((one) => {
    const button = element("button", { type: "button" }, "Show"); button.setAttribute("aria-label", `Show ${one.path}`); button.addEventListener("click", () => watchCampaign(one.path));
    return element("tr", { class: one.path === campaigns.path ? "chosen" : "" }, element("td", { class: "name" }, one.path), element("td", { class: `state-${one.state}` }, stateWord[one.state], ...(one.trouble ? [element("div", { class: "error" }, one.trouble)] : [])),
      element("td", { class: "num" }, one.budget ? `${one.evaluated} of ${one.budget}` : one.evaluated), element("td", { class: "num" }, one.failures), element("td", { class: "num" }, one.best_m === null ? "–" : `${number(one.best_m)} m`), element("td", { class: "num" }, button));
  });
  byId("campaign-list").replaceChildren(rows.length ? element("table", { class: "list" }, element("thead", {}, element("tr", {}, ...["Folder", "State", "Scenes flown", "Below 1.5 m", "Smallest distance", ""].map((head, k) => element("th", { class: k > 1 ? "num" : "" }, head)))), element("tbody", {}, ...rows))
    : element("p", { class: "empty" }, "No campaign yet. Choose a mission above and start a search; two hundred scenes take about a minute on two cores."));
}
function watchCampaign(path) { campaigns.path = path; campaigns.found = null; campaigns.rate = null; byId("campaign-detail").hidden = true; refreshCampaigns(); }
async function order(what, place) { try { await ask(`/api/campaign/${what}`, { path: campaigns.path }); } catch (error) { report(place, error); } refreshCampaigns(); }

function showCampaign() {
  const { found } = campaigns, box = byId("campaign-detail");
  if (!found) return;
  const now = performance.now(), last = campaigns.rate;
  if (!last || last.path !== found.path) campaigns.rate = { path: found.path, at: now, evaluated: found.evaluated };
  const rate = last && last.path === found.path && now - last.at > 1500 ? 1000 * (found.evaluated - last.evaluated) / (now - last.at) : null;
  const left = rate && found.budget ? (found.budget - found.evaluated) / rate : null;
  if (box.dataset.path !== found.path || box.hidden) {
    box.dataset.path = found.path; box.hidden = false;
    box.replaceChildren(element("div", { class: "card-head" }, element("h2", {}, found.path), element("p", { class: "actions", id: "campaign-actions" })), element("p", { class: "error", id: "campaign-error", role: "alert", hidden: "" }), element("section", { class: "tiles", id: "campaign-tiles" }),
      element("div", { class: "campaign-grid" }, element("figure", {}, element("figcaption", {}, "Predicted distance [m] of each scene", element("span", {}, "line: best, area: failures")), element("canvas", { id: "progress" })), element("figure", {}, element("figcaption", {}, "Obstacles of the failures"), element("canvas", { id: "failures" }))),
      element("h2", {}, "Nearest first"), element("div", { class: "table-scroll" }, element("table", { class: "list", id: "campaign-tests" })));
  }
  const buttons = [];
  const button = (text, act, style) => { const made = element("button", { type: "button", class: style || "" }, text); made.addEventListener("click", act); buttons.push(made); };
  if (found.state === "running") button("Stop", () => order("stop", byId("campaign-error")));
  if (found.state === "stopped") button("Resume", () => order("resume", byId("campaign-error")), "primary");
  if (found.report) button("Open report", () => window.open(found.report, "_blank", "noopener"));
  const mark = `${found.state}${found.report}`;
  if (box.dataset.mark !== mark + found.path) { box.dataset.mark = mark + found.path; byId("campaign-actions").replaceChildren(...buttons); }
  const tiles = [[found.budget ? `${found.evaluated} of ${found.budget}` : found.evaluated, "scenes flown"], [found.flights, "flights"], [found.failures, "predicted below 1.5 m", found.failures > 0], [found.best_m === null ? "–" : `${number(found.best_m)} m`, "smallest distance"],
    [found.state === "running" ? rate === null ? "…" : `${number(rate, 1)} /s` : stateWord[found.state], found.state === "running" ? left ? `scenes flown; about ${left > 90 ? `${Math.round(left / 60)} min` : `${Math.round(left)} s`} left` : "scenes flown" : "state"]];
  byId("campaign-tiles").replaceChildren(...tiles.map(([value, text, isBad]) => element("div", { class: isBad ? "tile bad" : "tile" }, element("b", {}, value), element("span", {}, text))));
  data.progress = found.progress; drawProgress(); drawFailures();
  const rows = found.tests.slice(0, 50).map((one) => {
    const open = element("button", { type: "button" }, "Open"); open.setAttribute("aria-label", `Open scene ${one.number} in the editor`); open.addEventListener("click", () => openTest(one.number));
    return element("tr", {}, element("td", { class: "num" }, one.number), element("td", {}, element("span", { class: `pill ${one.outcome}` }, outcomeWords[one.outcome] || one.status)), element("td", { class: "num" }, one.distance_m === null ? "–" : `${number(one.distance_m)} m`), element("td", { class: "num" }, percent(one.failure_probability)), element("td", { class: "num" }, one.obstacles.length), element("td", { class: "num" }, open));
  });
  const top = JSON.stringify(found.tests.slice(0, 50).map((one) => one.number));
  if (byId("campaign-tests").dataset.top !== top) {
    byId("campaign-tests").dataset.top = top;
    byId("campaign-tests").replaceChildren(element("thead", {}, element("tr", {}, ...["Scene", "Outcome", "Distance", "Failure probability", "Obstacles", ""].map((head, k) => element("th", { class: k === 1 ? "" : "num" }, head)))), element("tbody", {}, ...rows));
  }
}
function drawFailures() {
  const { found } = campaigns, { pen, width, height } = sheet(byId("failures"));
  if (!found.scene) return;
  const { arena, mission } = found.scene, points = [mission.home_enu_m, ...mission.waypoints.map((one) => one.position_enu_m)];
  const old = [data.arena, data.route]; data.arena = [arena.east_min_m, arena.north_min_m, arena.east_max_m, arena.north_max_m]; data.route = points;
  const xs = [data.arena[0], data.arena[2], ...points.map((p) => p[0])], ys = [data.arena[1], data.arena[3], ...points.map((p) => p[1])], box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const { to, scale } = mapScale(width, height, box, 22);
  drawGround(pen, width, height, box, to, scale);
  const bad = found.tests.filter((one) => one.distance_m !== null && one.distance_m < data.soft_below_m);
  pen.globalAlpha = Math.max(0.1, 0.6 / Math.sqrt(Math.max(1, bad.length)));
  for (const one of bad) for (const [x, y, sx, sy, yaw, shape] of one.obstacles) fillOutline(pen, outline({ center: [x, y], size: [sx, sy], yaw, shape }).map(([u, v]) => to(u, v)), colour("accent"), colour("card"));
  pen.globalAlpha = 1; drawRoute(pen, to); [data.arena, data.route] = old;
}
async function openTest(number) {
  if (!allowLeaving()) return;
  try { const found = await ask(`/api/campaign/scene?path=${encodeURIComponent(campaigns.path)}&number=${number}`); openScene(found.scene, null, null); } catch (error) { report(byId("campaign-error"), error); }
}
registerRoom({ name: "campaigns", label: "Campaigns", order: 30, icon: "M11 4a7 7 0 1 0 .01 0M16 16l5 5M8 11h6", show: showCampaigns, leave: () => clearTimeout(campaigns.timer), repaint: showCampaign });
