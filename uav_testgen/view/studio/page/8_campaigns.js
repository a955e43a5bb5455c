// Campaigns: a search for scenes in which the drone does what it must not.
function campaignForm(start) {
  const name = textEntry("Folder", freeName("search"), { maxlength: 80, required: "" }), where = caseEntry(), generator = generatorEntry();
  const scenes = countEntry("Scenes to predict", 300, 1, 10000000), repeats = countEntry("Drawn runs each", 5, 0, 1000, "of scenes that look promising, besides the nominal run"), seed = countEntry("Seed", 1, 0);
  const required = requirementEntry(), system = systemEntry();
  const suite = countEntry("Tests in the suite", 20, 1, 100000), batch = countEntry("Scenes asked at once", 32, 1, 10000), minutes = countEntry("Stop after [min]", null, 1, 100000, "empty: the number of scenes decides"), near = element("input", { type: "number", min: 0.1, max: 100, step: "any" });
  near.value = choices.safe_distance_m;
  const backend = choiceEntry("Backend", [["", [["none", "none"], ...named(choices.confirming_backends)]]], "none"), tests = countEntry("Tests flown again", 5, 0, 1000), times = countEntry("Flights of each", 1, 1, 100), flights = countEntry("Or: flights to spend", null, 1, 1000000, "on the most promising and diverse predictions");
  where.input.addEventListener("change", () => generator.suggest(where.isLogical() ? "stella" : generator.name() === "stella" ? "prgen" : generator.name()));
  return startForm("New search", [name.node, where.node, generator.node, scenes.node, repeats.node, seed.node, generator.more, required.node, system.node,
    folded("Suite and limits", element("div", { class: "form" }, suite.node, labelled("Promising below [m]", near), batch.node, minutes.node)),
    folded("Confirm what was found", element("p", { class: "quiet" }, "A prediction stays a prediction until something else has flown it."), element("div", { class: "form" }, backend.node, tests.node, times.node, flights.node))], "Start search", () => {
    const count = scenes.value(), spend = backend.value() === "none" ? undefined : flights.value();
    return start("campaign", name.value(), without({
      case: where.value(), generator: generator.name(), generator_settings: generator.settings(), seed: seed.value(), requirements: required.value(), ...system.value(),
      batch_size: Math.min(batch.value() || 32, Math.max(4, Math.ceil((count || 1) / 8))), budget: without({ [spend ? "predictions" : "simulations"]: count, wall_s: minutes.value() && 60 * minutes.value(), flights: spend }),
      screening: without({ repeats: repeats.value(), accept_below_m: near.valueAsNumber }), ranking: without({ suite_size: suite.value() }),
      ...(backend.value() === "none" ? {} : { confirmation: without({ backend: backend.value(), tests: spend ? undefined : tests.value(), repeats: times.value() }) }),
    }));
  });
}
const searchFigures = (mapTitle) => element("div", { class: "campaign-grid" },
  element("figure", {}, element("figcaption", {}, "Predicted distance [m] of each scene", element("span", {}, "line: best so far; shaded: number of failures")), element("canvas", { class: "progress", role: "img", "aria-label": "Distance of each scene and the best so far" })),
  element("figure", {}, element("figcaption", {}, mapTitle, element("span", {}, "north up, metres")), element("canvas", { class: "failures", role: "img", "aria-label": "Obstacles of the failing scenes on a map of the arena" })));
// The report's chart of a search draws on the canvas called "progress"; of all rooms only the shown one has it.
function drawSearch(box, found) {
  document.querySelectorAll("#progress").forEach((one) => one.removeAttribute("id"));
  box.querySelector(".progress").id = "progress"; data.progress = found.progress; drawProgress();
}
function drawFailures(canvas, found) {
  missionMap(canvas, found.scene, (pen, to) => {
    const failing = found.failing_obstacles || [];
    pen.globalAlpha = clamp(1.4 / Math.sqrt(Math.max(1, failing.length)), 0.12, 0.55);
    for (const obstacles of failing) for (const [x, y, sx, sy, yaw, shape] of obstacles) fillOutline(pen, outline({ center: [x, y], size: [sx, sy], yaw, shape }).map(([u, v]) => to(u, v)), colour("hard"), colour("card"));
    pen.globalAlpha = 1;
  });
}
const hasRequirements = (found) => !!found.settings?.requirements?.length;
function showTests(table, found) {
  const isByMargin = found.tests.some((one) => one.margin !== null), shown = found.tests.slice(0, 50);
  renew(table, shown.map((one) => one.number), () => tableOf(["Scene", "Nominal run", "Distance", ...(isByMargin ? ["Worst margin"] : []), "Failure probability", "Obstacles", ""], shown.map((one) => element("tr", {},
    element("td", {}, one.number), element("td", {}, element("span", { class: `pill ${one.outcome}` }, one.outcome ? outcomeWord(one.outcome, hasRequirements(found)) : String(one.status).replaceAll("_", " "))), element("td", { class: "num" }, one.distance_m === null ? "–" : `${number(one.distance_m)} m`),
    ...(isByMargin ? [element("td", { class: "num" }, number(one.margin))] : []), element("td", { class: "num" }, probability(one.failure_probability)), element("td", { class: "num" }, one.obstacle_count), element("td", { class: "num" }, openButton(`Open scene ${one.number} in the editor`, () => openTest(found.path, one.number, table.closest(".card").querySelector(".job-error")))))), [0, 1]));
}
function showFlownAgain(table, found) {
  const flown = found.flown_again || [];
  table.hidden = table.parentElement.hidden = table.parentElement.previousElementSibling.hidden = !flown.length;
  renew(table, flown, () => tableOf(["Scene", "Backend", "Predicted, nominal run", "Flown", "Outcome"], flown.map((one) => row([one.number, one.backend, one.predicted_m === null ? "–" : `${number(one.predicted_m)} m`, one.distance_m === null ? one.message || "–" : `${number(one.distance_m)} m`,
    one.outcome ? element("span", { class: `pill ${one.outcome}` }, outcomeWord(one.outcome, hasRequirements(found))) : "not judged"], [0, 1, 4])), [0, 1, 4]));
}
// Fly the best tests of an ended search again with another backend.
function confirmForm(path) {
  const backend = choiceEntry("Backend", [["", named(choices.confirming_backends)]]), tests = countEntry("Best tests", 5, 1, 1000), times = countEntry("Flights of each", 1, 1, 100), trouble = element("p", { class: "error", role: "alert", hidden: "" });
  const form = element("form", {}, element("p", { class: "quiet" }, "A prediction stays a prediction until something else has flown it. What was flown is kept and not flown again; the report then shows both."), element("div", { class: "form" }, backend.node, tests.node, times.node), element("p", { class: "actions" }, element("button", { type: "submit" }, "Fly them again")), trouble);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try { await ask("/api/job/confirm", { path, backend: backend.value(), tests: tests.value(), runs: times.value() }); report(trouble, null); } catch (error) { report(trouble, error); }
  });
  return element("details", { class: "job-confirm", hidden: "" }, element("summary", {}, "Confirm what was found"), form);
}
const searchTiles = (found) => [tile(found.budget ? `${found.evaluated} of ${found.budget}` : found.evaluated, "scenes predicted"), tile(found.flights, "flights"), tile(found.failures, hasRequirements(found) ? "violate a requirement" : `predicted below ${found.accept_below_m} m`, found.failures > 0), tile(found.best_m === null ? "–" : `${number(found.best_m)} m`, "smallest distance"), paceTile(found)];
jobRoom({
  name: "campaigns", label: "Campaigns", order: 30, icon: "M11 4a7 7 0 1 0 .01 0M16 16l5 5M8 11h6", kinds: ["campaign"], noun: "search", title: "Campaigns",
  sub: "A search for scenes in which the drone comes too close, or breaks another requirement. It goes on when this page or the studio is closed, and the command line can resume it.",
  empty: "No search in this folder yet. Two hundred scenes take about a minute on two cores.", form: campaignForm,
  view: {
    tiles: searchTiles,
    build: (found) => [searchFigures("Obstacles of the failures"), element("h3", {}, "Nearest first"), element("div", { class: "table-scroll" }, element("table", { class: "list job-tests" })), element("h3", { hidden: "" }, "Flown again"), element("div", { class: "table-scroll", hidden: "" }, element("table", { class: "list flown-again" })), confirmForm(found.path)],
    update(found, box) { box.querySelector(".job-confirm").hidden = isBusy(found.state) || !found.evaluated; drawSearch(box, found); drawFailures(box.querySelector(".failures"), found); showTests(box.querySelector(".job-tests"), found); showFlownAgain(box.querySelector(".flown-again"), found); },
  },
});
