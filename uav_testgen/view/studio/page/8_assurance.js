// Questions about the scene of the editor: why it fails, the simplest scene that still fails, how likely it fails.
const questions = {
  explain: { text: "Why does it fail?", about: "Fly it, leave out each obstacle in turn, and find the smallest changes after which it is safe.", flights: 600 },
  minimise: { text: "What is the simplest scene that still fails?", about: "Leave out, align, shrink and round what the failure does not need.", flights: 600 },
  certify: { text: "How likely is it to fail?", about: "Fly it again and again under the calibrated scatter; rare failures are reached by splitting.", flights: 2000 },
};
const assurance = { wanted: "explain" };
function askAbout(kind) { assurance.wanted = kind; go("assurance"); }
for (const button of document.querySelectorAll("[data-ask]")) button.addEventListener("click", () => askAbout(button.dataset.ask));

function assuranceForm(start) {
  const kind = choiceEntry("Question", [["", Object.entries(questions).map(([name, one]) => [name, one.text])]], assurance.wanted), name = textEntry("Folder", freeName(assurance.wanted), { maxlength: 80, required: "" });
  const required = textEntry("Requirement", scene.requirements[0] || "", { maxlength: 1000, placeholder: `at least ${choices.safe_distance_m} m away`, list: "assurance-menu" });
  const runs = countEntry("Drawn runs per scene", 3, 0, 1000), flights = countEntry("Flights at most", questions[assurance.wanted].flights, 10, 1000000);
  const within = element("input", { type: "number", min: 0, max: 100, step: "any", title: "0: this scene only" }), turn = element("input", { type: "number", min: 0, max: 180, step: "any", title: "0: as they stand" });
  within.value = turn.value = 0;
  const apart = [labelled("Obstacles anywhere within ± [m]", within), labelled("and turned by up to ± [°]", turn)], about = element("p", { class: "quiet whole" });
  const show = () => {
    assurance.wanted = kind.value(); about.textContent = questions[kind.value()].about; flights.input.value = questions[kind.value()].flights;
    for (const node of apart) node.hidden = kind.value() !== "certify";
    runs.node.hidden = kind.value() === "certify";
    if (/^(explain|minimise|certify)-\d/.test(name.value())) name.input.value = freeName(kind.value());
  };
  kind.input.addEventListener("change", show); show();
  const about_scene = element("p", { class: "whole" }, "About the scene in the editor: ", element("b", {}, scene.path || scene.now.name || "unnamed"), `, ${scene.now.obstacles.length} obstacle${scene.now.obstacles.length === 1 ? "" : "s"}, seed ${scene.now.seed}.`);
  return startForm("New question", [about_scene, kind.node, name.node, about, required.node, element("datalist", { id: "assurance-menu" }, ...choices.requirement_menu.map(({ text, about: said }) => element("option", { value: text }, said))), runs.node, flights.node, ...apart], "Ask", () =>
    start(kind.value(), name.value(), without({ scene: scene.now, requirement: required.value(), flights: flights.value(), ...(kind.value() === "certify" ? { within: within.valueAsNumber || undefined, turn: turn.valueAsNumber || undefined } : { runs: runs.value() }), ...scene.system })));
}
const share = (value) => value === 0 ? "0" : value < 0.01 ? value.toExponential(1) : percent(value);
const spanText = ({ interval: [low, high] }) => `${share(low)} to ${share(high)}`;
function assuranceTiles(found) {
  const { answer } = found;
  if (!answer) return [tile(stateWords[found.state], questions[found.kind].text)];
  if (found.kind === "explain") return [tile(`${answer.failed} of ${answer.runs}`, "runs fail", true), tile(`${number(answer.unsafe_s, 1)} s`, "unsafe since"), tile(`${answer.counterfactuals.length}`, answer.counterfactuals.length === 1 ? "change would prevent it" : "changes would prevent it"), tile(answer.flights, answer.finished === false ? "flights, all used up" : "flights")];
  if (found.kind === "minimise") return [tile(`${answer.obstacles_before} → ${answer.obstacles}`, "obstacles"), tile(`${answer.failed} of ${answer.runs}`, "runs still fail", true), tile(answer.steps.length - 1, "simplifications"), tile(answer.flights, answer.finished ? "flights" : "flights, all used up")];
  return [tile(answer.reached ? share(answer.simulated.probability) : `< ${share(answer.simulated.interval[1])}`, `simulated flights fail; ${percent(answer.confidence)} interval ${spanText(answer.simulated)}`), tile(answer.real ? share(answer.real.probability) : "not known", answer.real ? `of real flights, with the model's error; ${spanText(answer.real)}` : "of real flights: the model's error was not measured for this"), tile(answer.flights, `flights by ${answer.method === "monte-carlo" ? "Monte Carlo" : answer.method.replaceAll("-", " ")}`)];
}
const amountText = (one) => one.unit === "share" ? percent(one.amount) : `${number(one.amount)} ${one.unit === "deg" ? "°" : one.unit}`;
const obstacleWord = (found, index) => found.scene?.obstacles[index]?.name || `obstacle ${index + 1}`;
const withNames = (found, text) => text.replace(/\bobstacle (\d+)\b/g, (_, place) => obstacleWord(found, +place - 1));
function explainParts(found) {
  const { answer } = found, facts = answer.circumstances, best = answer.planner?.candidates?.slice(0, 3) || [];
  const table = (heads, rows, text) => element("div", { class: "table-scroll" }, element("table", { class: "list" }, ...tableOf(heads, rows, text)));
  return [element("h3", {}, "What happened"), element("p", {}, ...(answer.mechanism ? [element("b", {}, answer.mechanism.charAt(0).toUpperCase() + answer.mechanism.slice(1)), answer.meaning ? `: ${answer.meaning}` : ""] : []), answer.violated ? ` ${answer.violated}` : ""),
    element("p", {}, `Unsafe after ${number(answer.unsafe_s, 1)} s, closest to ${obstacleWord(found, facts.obstacle_index)} after ${number(facts.moment_s, 1)} s. It lay ${number(Math.abs(facts.bearing_deg), 0)}° to the ${facts.bearing_deg > 0 ? "left" : "right"} of the heading, out of view for ${percent(facts.unseen_share)} of the 5 s before. Of the 20 s before, that place was ${number(facts.in_view_s, 1)} s in view and ${number(facts.hidden_s, 1)} s hidden behind an obstacle.`),
    ...(best.length ? [element("p", {}, `The planner's cheapest directions then: ${best.map((one) => `${number(one.azimuth_deg, 0)}° (cost ${number(one.cost, 0)})`).join(", ")}; clockwise from north.`)] : []),
    element("h3", {}, "Which obstacles matter"), table(["Obstacle", "Without it"], answer.obstacles.map((one) => row([obstacleWord(found, one.index), one.decides ? (one.completes === false ? "◌ never reaches the goal" : "● safe") : "▲ still fails"], [0, 1])), [0, 1]),
    element("h3", {}, "What would have prevented it"), answer.counterfactuals.length ? table(["Change", "By", `Left after it${answer.unit ? ` [${answer.unit}]` : ""}`, "Holds in fresh runs"], answer.counterfactuals.map((one) => row([withNames(found, one.what), one.too_little ? `${amountText(one)}; ${amountText({ ...one, amount: one.too_little })} is not enough` : amountText(one), one.margin === null ? "–" : number(one.margin), `${one.held} of ${one.fresh_runs}`]))) : element("p", { class: "quiet" }, "None of the changes that were tried makes it safe.")];
}
function minimiseParts(found) {
  const { answer } = found, open = element("button", { type: "button", class: "primary open-simplest" }, "Open the simplest scene in the editor");
  open.addEventListener("click", () => { if (allowLeaving()) openScene(copyOf(found.simplest), null, null); });
  return [element("div", { class: "before-after" }, element("figure", {}, element("figcaption", {}, "As given"), thumbnail(found.scene || found.simplest)), element("figure", {}, element("figcaption", {}, "Simplest that still fails"), thumbnail(found.simplest))), element("p", { class: "actions" }, open), element("h3", {}, "Steps"), element("div", { class: "table-scroll" }, element("table", { class: "list" }, ...tableOf(["Step", "Runs that fail", `Left${answer.unit ? ` [${answer.unit}]` : ""}`], answer.steps.map((one) => row([withNames(found, one.what), `${one.failed} of ${one.runs}`, one.margin === null ? "–" : number(one.margin)])))))];
}
function certifyParts({ answer }) {
  return [element("dl", { class: "facts" }, ...[["Required", answer.requirement], ["Varies", answer.varies], ["System", answer.system], ["Independent flights", `${answer.independent_flights}, of which ${answer.failures} fail`], ["Not counted", answer.not_counted]].map(([word, value]) => element("div", {}, element("dt", {}, word), element("dd", {}, String(value)))))];
}
jobRoom({
  name: "assurance", label: "Assurance", order: 35, icon: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4", kinds: Object.keys(questions), noun: "question", title: "Assurance", detail: "/api/assurance",
  sub: "How sure are we? Questions about the scene in the editor: why it fails, which simpler scene still fails, how likely it fails.", empty: "Nothing asked yet. An answer takes from half a minute to a few minutes.", form: assuranceForm,
  view: {
    tiles: assuranceTiles,
    build: () => [element("p", { class: "quiet asked" }), element("div", { class: "answer" })],
    update(found, box) {
      box.querySelector(".asked").textContent = `${questions[found.kind].text} ${found.answer ? `Required: ${found.answer.requirement}.` : ""}`;
      renew(box.querySelector(".answer"), [found.answer], () => !found.answer ? isBusy(found.state) ? [element("p", { class: "quiet" }, "The answer appears here when it is ready.")] : [] : { explain: explainParts, minimise: minimiseParts, certify: certifyParts }[found.kind](found));
    },
  },
});
