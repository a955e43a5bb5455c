// Studies: generators, algorithms or planners against each other.
function studyForms(start) {
  const kinds = [["study", "Generators"], ["comparison", "Algorithms"], ["planners", "Planners"]], place = element("div", {}), tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "What is compared" });
  const makers = { study: studyForm, comparison: comparisonForm, planners: plannersForm };
  const show = (kind) => { for (const button of tabs.children) button.setAttribute("aria-selected", String(button.dataset.kind === kind)); place.replaceChildren(makers[kind](start)); };
  for (const [kind, text] of kinds) { const button = element("button", { type: "button", role: "tab", "data-kind": kind }, text); button.addEventListener("click", () => show(kind)); tabs.append(button); }
  show("study");
  return element("div", {}, tabs, place);
}
const numbersOf = (text) => text.split(/[\s,;]+/).filter(Boolean).map(Number);
function studyForm(start) {
  const shipped = choices.generators.filter((one) => !["stella", "surrealist"].includes(one)), name = textEntry("Folder", freeName("study"), { maxlength: 80, required: "" }), generators = tickEntry("Generators", [...shipped, ...choices.generators.filter((one) => !shipped.includes(one))], ["prgen", "random", ...choices.own.generators]);
  const cases = tickEntry("Missions", choices.missions, ["mission2"]), logical = tickEntry("Logical scenarios (for stella)", choices.logical_scenarios, []);
  const seeds = countEntry("Runs of each (seeds)", 3, 1, 1000), budgets = textEntry("Scenes per run", "50", { inputmode: "numeric", title: "several budgets: 50, 100" }), repeats = countEntry("Drawn runs each", 0, 0, 1000), suite = countEntry("Tests in a suite", 10, 1, 10000), tests = countEntry("Tests judged", 10, 1, 1000), runs = countEntry("Held-out flights of each", 5, 5, 1000), system = systemEntry();
  const entryOf = (one) => one.includes(":") ? [one.split(":").pop().replace(/[^A-Za-z0-9._+-]/g, "_"), { generator: one }] : [one, {}];
  return startForm("Compare generators", [name.node, generators.node, cases.node, folded("Logical scenarios", logical.node), seeds.node, budgets.node, repeats.node, suite.node, tests.node, runs.node, system.node], "Start study", () => start("study", name.value(), {
    generators: Object.fromEntries(generators.value().map(entryOf)), cases: [...cases.value(), ...logical.value()], seeds: seeds.value(), budgets: numbersOf(budgets.value()), repeats: repeats.value(), suite_size: suite.value(), held_out: without({ tests: tests.value(), runs: runs.value() }), backend_settings: system.value(),
  }));
}
function comparisonForm(start) {
  const name = textEntry("Folder", freeName("algorithms"), { maxlength: 80, required: "" }), algorithms = tickEntry("Algorithms", choices.single_algorithms, ["nsga2", "random"]), sequences = tickEntry("One after the other", choices.algorithms.filter((one) => one.includes("+")), []), scenarios = tickEntry("Logical scenarios", choices.logical_scenarios, [choices.logical_scenarios[0]]);
  const baseline = choiceEntry("Compared with", [["", named(choices.single_algorithms)]], "nsga2"), repetitions = countEntry("Runs of each", 3, 1, 1000), evaluations = countEntry("Flights per run", 100, 1, 10000000), size = countEntry("Population", 20, 4, 100000), seed = countEntry("Seed", 1, 0), safety = element("input", { type: "number", min: 0.1, max: 100, step: "any" }), required = requirementEntry(), system = systemEntry();
  safety.value = choices.menus.comparison.find((one) => one.name === "safety_distance_m").default;
  return startForm("Compare search algorithms", [name.node, algorithms.node, folded("Sequences of algorithms", sequences.node), folded("Logical scenarios", scenarios.node), baseline.node, repetitions.node, evaluations.node, size.node, seed.node, labelled("Distance to be kept [m]", safety), required.node, system.node], "Start comparison", () => start("comparison", name.value(), {
    algorithms: [...algorithms.value(), ...sequences.value()], scenarios: scenarios.value(), baseline: baseline.value(), repetitions: repetitions.value(), evaluations: evaluations.value(), size: size.value(), seed: seed.value(), safety_distance_m: safety.valueAsNumber, requirements: required.value(), backend_settings: system.value(),
  }));
}
function plannersForm(start) {
  const name = textEntry("Folder", freeName("planners"), { maxlength: 80, required: "" }), planners = tickEntry("Planners", choices.planners, choices.own.planners.length ? ["vfh3d", ...choices.own.planners] : choices.planners.slice(0, 3)), where = caseEntry(), generator = generatorEntry(), scenes = countEntry("Scenes", 60, 1, 10000000), repeats = countEntry("Drawn runs each", 0, 0, 1000), seed = countEntry("Seed", 1, 0), required = requirementEntry(), system = systemEntry(false);
  where.input.addEventListener("change", () => generator.suggest(where.isLogical() ? "stella" : generator.name() === "stella" ? "prgen" : generator.name()));
  return startForm("Compare planners on the same scenes", [name.node, planners.node, where.node, generator.node, scenes.node, repeats.node, seed.node, generator.more, required.node, system.node], "Start comparison", () => start("planners", name.value(), {
    planners: planners.value(), case: where.value(), generator: generator.name(), generator_settings: generator.settings(), seed: seed.value(), requirements: required.value(), batch_size: Math.min(32, Math.max(4, Math.ceil((scenes.value() || 1) / 8))), budget: { simulations: scenes.value() }, screening: { repeats: repeats.value() }, ...system.value(),
  }));
}

function drawContenders(canvas, contenders) {
  const shown = contenders.filter((one) => one.curve.length), last = Math.max(1, ...shown.flatMap((one) => one.curve.map(([n]) => n))), top = clamp(Math.max(3, ...shown.flatMap((one) => one.curve.map(([, d]) => d))), 3, 12);
  const plot = frame(canvas, { x: [0, last], y: [0, top], xLabel: "scenes flown" });
  threshold(plot, data.soft_below_m, `${data.soft_below_m} m`, colour("soft-fail"));
  contenders.forEach((one, index) => { const [style, dash] = strokeOf(index), steps = []; for (const [n, d] of one.curve) { if (steps.length) steps.push([plot.toX(n), steps[steps.length - 1][1]]); steps.push([plot.toX(n), plot.toY(Math.min(d, top))]); } line(plot.pen, steps, style, 2.2, dash); });
}
const matrixView = {
  tiles: (found) => [tile(`${found.runs.filter((one) => one.is_done).length} of ${found.runs_planned || "…"}`, "runs finished"), tile(found.budget ? `${found.evaluated} of ${found.budget}` : found.evaluated, "scenes flown"), tile(found.failures, "failures", found.failures > 0), tile(found.best_m === null ? "–" : `${number(found.best_m)} m`, "smallest distance"), paceTile(found)],
  build: () => [element("figure", {}, element("figcaption", {}, "Smallest distance so far [m]", element("span", {}, "median over the runs of each")), element("canvas", { class: "contender-chart", role: "img", "aria-label": "Smallest distance so far of every contender" }), element("p", { class: "legend-line" })),
    element("div", { class: "table-scroll" }, element("table", { class: "list contender-table" })), element("details", {}, element("summary", {}, "Runs"), element("div", { class: "table-scroll" }, element("table", { class: "list run-table" }))), element("h3", {}, "Nearest first"), element("div", { class: "table-scroll" }, element("table", { class: "list job-tests" }))],
  update(found, box) {
    drawContenders(box.querySelector(".contender-chart"), found.contenders); renew(box.querySelector(".legend-line"), [found.contenders.map((one) => one.name), document.documentElement.dataset.theme], () => legend(found.contenders.map((one) => one.name)));
    renew(box.querySelector(".contender-table"), found.contenders.map(({ curve, ...rest }) => rest), () => tableOf([found.kind === "study" ? "Generator" : "Algorithm", "Runs", "Scenes flown", "Failures per run", "First failure after", "Smallest distance"], found.contenders.map((one) => row([one.name, `${one.done} of ${one.planned}`, one.evaluated, one.failures_mean === null ? "–" : number(one.failures_mean, 1), one.first_failure_median === null ? "–" : `${one.first_failure_median} scenes`, one.best_m === null ? "–" : `${number(one.best_m)} m`]))));
    renew(box.querySelector(".run-table"), found.runs.map((one) => [one.cell, one.evaluated, one.is_done]), () => tableOf(["Run", "On", "State", "Scenes flown", "Failures"], found.runs.slice(0, 300).map((one) => row([`${one.contender} ${one.run}`, one.case, one.is_done ? "✓ finished" : "▶ running", one.evaluated, one.failures], [0, 1, 2])), [0, 1, 2]));
    const shown = found.tests.slice(0, 40), table = box.querySelector(".job-tests");
    renew(table, shown.map((one) => [one.cell, one.number]), () => tableOf(["By", "On", "Scene", "Distance", ""], shown.map((one) => row([one.contender, one.case, one.number, `${number(one.distance_m)} m`, openButton(`Open scene ${one.number} of ${one.contender} in the editor`, () => openTest(found.path, one.number, box.querySelector(".job-error"), one.cell))], [0, 1])), [0, 1]));
  },
};
const plannersView = {
  tiles: (found) => searchTiles(found),
  build: () => [element("div", { class: "table-scroll" }, element("table", { class: "list planner-table" })), searchFigures("Obstacles of failed scenes"), element("h3", {}, "Scenes that only one planner fails"), element("div", { class: "table-scroll" }, element("table", { class: "list only-table" })), element("h3", {}, "Worst first"), element("div", { class: "table-scroll" }, element("table", { class: "list job-tests" }))],
  update(found, box) {
    renew(box.querySelector(".planner-table"), found.planners, () => tableOf(["Planner", "Scenes", "Fails", "Failure rate", "95 % interval", "Collides", "Incomplete", "Only this fails", "Median distance"], found.planners.map((one) => row([lastPart(one.planner), one.scenes, one.failures, percent(one.failure_rate), one.failure_rate_95[0] === null ? "–" : `${percent(one.failure_rate_95[0])} to ${percent(one.failure_rate_95[1])}`, one.collisions, one.incomplete, one.only_this_fails, one.distance_m ? `${number(one.distance_m.median)} m` : "–"]))));
    const only = found.differential.slice(0, 50), names = found.planners.map((one) => one.planner), said = (facts) => facts.fails === null ? facts.status.replaceAll("_", " ") : facts.distance_m === null ? "no obstacle" : `${facts.fails ? "✕ " : ""}${number(facts.distance_m)} m`;
    renew(box.querySelector(".only-table"), only.map((one) => one.number), () => only.length ? tableOf(["Scene", "Only fails", ...names.map(lastPart), ""], only.map((one) => row([one.number, lastPart(one.only_fails), ...names.map((name) => said(one.planners[name])), openButton(`Open scene ${one.number} in the editor`, () => openTest(found.path, one.number, box.querySelector(".job-error")))], [0, 1])), [0, 1]) : [element("tbody", {}, element("tr", {}, element("td", {}, "None so far.")))]);
    drawSearch(box, found); drawFailures(box.querySelector(".failures"), found); showTests(box.querySelector(".job-tests"), found);
  },
};
const studyView = (found) => found.kind === "planners" ? plannersView : matrixView;
jobRoom({
  name: "studies", label: "Studies", order: 40, icon: "M4 20V10M10 20V4M16 20v-8M21 20H3", kinds: ["study", "comparison", "planners"], noun: "study", title: "Studies",
  sub: "Compare generators, search algorithms or planners, with the same statistics as the command line. A study goes on when the page is closed and can be resumed.", empty: "No study in this folder yet. Choose what to compare and start it.", form: studyForms,
  view: { tiles: (found) => studyView(found).tiles(found), build: (found) => studyView(found).build(found), update: (found, box) => studyView(found).update(found, box) },
});
