// The ranked table: sorted by any column, filtered, one row chosen, by pointer or keyboard.
const confirmedWord = (test) => !test.confirms ? "open" : test.confirmed === true ? "yes" : test.confirmed === false ? "no" : "open";
const confirmedText = (test) => !test.confirms || test.confirmed === null ? test.evidence : `${test.confirmed ? "confirmed" : "refuted"}: ${test.evidence}`;
const mean = (list) => list.length ? list.reduce((sum, value) => sum + value, 0) / list.length : null;
const metres = (value) => value === null ? "–" : `${number(value)} m`;
const repeatedText = (t) => t.repeated ? `${t.repeated.failures}/${t.repeated.runs}` : "–";
const testNumber = (t) => String(t.rank).padStart(3, "0");
const columns = [
  { head: "Rank", about: "1 is the test most worth flying for real.", numeric: true, value: (t) => t.rank, show: (t) => String(t.rank) },
  { head: "Test", about: "What stands on the way, and where it gets tight. Its file is named below the replay.", value: (t) => t.title, show: (t) => t.title.replace(/ (m|s)\b/g, "\u00a0$1"), class: "name" },
  { head: "Distance", about: "Predicted least distance to an obstacle as Aerialist measures it, median of the drawn runs; for a run that hovers it allows for the narrow way past that most real drones find later.", numeric: true, value: (t) => t.distance_m, show: (t) => metres(t.distance_m) },
  { head: "Outcome", about: `Of the nominal run: it collides (comes below ${data.hard_below_m} m), comes too close (below ${data.soft_below_m} m), or violates a requirement where there are some.`, value: (t) => t.outcome, show: (t) => element("span", { class: `pill ${t.outcome}` }, outcomeWord(t.outcome, t.findings.length > 0)) },
  ...(tests.some((t) => t.findings.length) ? [{ head: "Worst margin", about: "How far the nominal run stayed from violating a requirement; negative is violated.", numeric: true, value: (t) => t.margin, show: (t) => number(t.margin) }] : []),
  ...(tests.some((t) => t.confirms) ? [{ head: "Confirmed distance", about: "Least distance where the test was flown on PX4, in PX4 + Gazebo or in your simulator, mean of its flights.", numeric: true, value: (t) => mean(t.confirmed_distances_m), show: (t) => metres(mean(t.confirmed_distances_m)) }] : []),
  { head: "Failure", about: "Probability that a real flight fails, from the drawn runs and from how far the model was off on real flights.", numeric: true, value: (t) => t.failure_probability, show: (t) => {
    if (t.failure_probability === null) return "uncalibrated";
    const fill = element("i"); fill.style.width = `${100 * (t.failure_probability || 0)}%`;
    return element("span", {}, element("span", { class: "bar" }, fill), probability(t.failure_probability));
  } },
  { head: "Runs failed", about: "Of the drawn runs; flaky means that some failed and some did not.", numeric: true, value: (t) => t.repeated ? t.repeated.failures / Math.max(1, t.repeated.runs) : -1,
    show: (t) => t.repeated && t.repeated.flaky ? element("span", { class: "pill flaky", title: t.repeated.sentence }, `${repeatedText(t)} flaky`) : repeatedText(t) },
  { head: "Score", about: "Expected points by the rules of the competition.", numeric: true, value: (t) => t.value, show: (t) => number(t.value) },
  { head: "Evidence", about: "What flew it. Only flights on PX4, in PX4 + Gazebo or in your simulator confirm or refute.", value: (t) => confirmedText(t), show: (t) => element("span", { class: `pill ${confirmedWord(t)}` }, confirmedText(t)) },
];
const sorting = { column: 0, down: false };

function shownTests() {
  const text = byId("f-text").value.trim().toLowerCase(), outcome = byId("f-outcome").value;
  const confirmed = byId("f-confirmed").value, count = byId("f-count").value;
  const kept = tests.filter((t) => (!text || `${testNumber(t)} ${t.title} ${t.stem} ${t.sentence} ${t.obstacles.map((o) => o.name).join(" ")}`.toLowerCase().includes(text))
    && (!outcome || t.outcome === outcome) && (!confirmed || confirmedWord(t) === confirmed) && (!count || t.obstacles.length === +count));
  const { value } = columns[sorting.column];
  return kept.sort((a, b) => {
    const one = value(a), other = value(b), order = one < other ? -1 : one > other ? 1 : a.rank - b.rank;
    return sorting.down ? -order : order;
  });
}

function fillTable() {
  const body = byId("table").tBodies[0], shown = shownTests(), hadFocus = body.contains(document.activeElement);
  body.replaceChildren(...shown.map((test) => {
    const isChosen = test === state.test;
    const row = element("tr", { tabindex: isChosen || !shown.includes(state.test) ? "0" : "-1", class: isChosen ? "chosen" : "", id: `row-${testNumber(test)}`, "aria-selected": String(isChosen) },
      ...columns.map((column) => element("td", { class: [column.numeric ? "num" : "", column.class || ""].join(" ").trim() }, column.show(test))));
    row.addEventListener("click", () => choose(test));
    row.addEventListener("keydown", (event) => walk(event, shown, test));
    return row;
  }));
  if (hadFocus) body.querySelector(".chosen")?.focus({ preventScroll: true });
  byId("f-shown").textContent = shown.length === tests.length ? `${tests.length} tests` : `${shown.length} of ${tests.length} tests`;
  byId("nothing-left").hidden = shown.length > 0 || !tests.length;
  [...byId("table").tHead.rows[0].cells].forEach((cell, k) => cell.setAttribute("aria-sort", k !== sorting.column ? "none" : sorting.down ? "descending" : "ascending"));
}
// Up and down choose the test before and after.
function walk(event, shown, test) {
  const place = shown.indexOf(test), last = shown.length - 1;
  const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: last, Enter: place }[event.key];
  if (next === undefined) return;
  event.preventDefault(); choose(shown[clamp(next, 0, last)]);
  byId("table").querySelector("tr.chosen")?.scrollIntoView({ block: "nearest" });
}

function buildTable() {
  byId("table").tHead.append(element("tr", {}, ...columns.map((column, k) => {
    const button = element("button", { type: "button", title: column.about }, column.head), cell = element("th", { scope: "col", class: column.numeric ? "num" : "" }, button);
    button.addEventListener("click", () => { sorting.down = sorting.column === k && !sorting.down; sorting.column = k; fillTable(); });
    return cell;
  })));
  byId("column-words").replaceChildren(...columns.flatMap(({ head, about }) => [element("dt", {}, head), element("dd", {}, about)]));
  for (const count of [...new Set(tests.map((t) => t.obstacles.length))].sort((a, b) => a - b)) {
    byId("f-count").append(element("option", { value: count }, `${count} obstacle${count === 1 ? "" : "s"}`));
  }
  for (const id of ["f-text", "f-outcome", "f-confirmed", "f-count"]) byId(id).addEventListener("input", fillTable);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("no-tests").hidden = tests.length > 0;
}
