// The ranked table: sorted by any column, filtered, one row chosen.
const words = { hard_fail: "hard failure", soft_fail: "soft failure", pass: "safe", inconclusive: "inconclusive" };
const confirmedWord = (test) => !test.confirms ? "open" : test.confirmed === true ? "yes" : test.confirmed === false ? "no" : "open";
const confirmedText = (test) => !test.confirms || test.confirmed === null ? test.evidence : `${test.confirmed ? "confirmed" : "refuted"}: ${test.evidence}`;
const confirmedMean = (t) => t.confirmed_distances_m.length ? t.confirmed_distances_m.reduce((sum, d) => sum + d, 0) / t.confirmed_distances_m.length : null;
const repeatedText = (t) => t.repeated ? `${t.repeated.failures}/${t.repeated.runs}` : "–";
const columns = [
  { head: "Rank", numeric: true, value: (t) => t.rank, show: (t) => String(t.rank) },
  { head: "Test", value: (t) => t.stem, show: (t) => t.stem, class: "name" },
  { head: "Outcome", value: (t) => t.outcome, show: (t) => element("span", { class: `pill ${t.outcome}` }, words[t.outcome] || t.outcome) },
  { head: "Distance", numeric: true, value: (t) => t.distance_m, show: (t) => `${number(t.distance_m)} m` },
  ...(tests.some((t) => t.findings.length) ? [{ head: "Worst margin", numeric: true, value: (t) => t.margin, show: (t) => number(t.margin) }] : []),
  { head: "Confirmed distance", numeric: true, value: confirmedMean, show: (t) => confirmedMean(t) === null ? "–" : `${number(confirmedMean(t))} m` },
  { head: "Failure probability", numeric: true, value: (t) => t.failure_probability, show: (t) => {
    if (t.failure_probability === null) return "uncalibrated";
    const fill = element("i"); fill.style.width = `${100 * (t.failure_probability || 0)}%`;
    return element("span", {}, element("span", { class: "bar" }, fill), percent(t.failure_probability));
  } },
  { head: "Runs failed", numeric: true, value: (t) => t.repeated ? t.repeated.failures / Math.max(1, t.repeated.runs) : -1,
    show: (t) => t.repeated && t.repeated.flaky ? element("span", { class: "pill flaky", title: t.repeated.sentence }, `${repeatedText(t)} flaky`) : repeatedText(t) },
  { head: "Obstacles", numeric: true, value: (t) => t.obstacles.length, show: (t) => String(t.obstacles.length) },
  { head: "Flight", numeric: true, value: (t) => t.duration_s, show: (t) => `${number(t.duration_s, 0)} s` },
  { head: "Score", numeric: true, value: (t) => t.value, show: (t) => number(t.value) },
  { head: "Evidence", value: (t) => confirmedText(t), show: (t) => element("span", { class: `pill ${confirmedWord(t)}` }, confirmedText(t)) },
];
const sorting = { column: 0, down: false };

function shownTests() {
  const text = byId("f-text").value.trim().toLowerCase(), outcome = byId("f-outcome").value;
  const confirmed = byId("f-confirmed").value, count = byId("f-count").value;
  const kept = tests.filter((t) => (!text || `${t.stem} ${t.sentence} ${t.obstacles.map((o) => o.name).join(" ")}`.toLowerCase().includes(text))
    && (!outcome || t.outcome === outcome) && (!confirmed || confirmedWord(t) === confirmed) && (!count || t.obstacles.length === +count));
  const { value } = columns[sorting.column];
  return kept.sort((a, b) => {
    const one = value(a), other = value(b), order = one < other ? -1 : one > other ? 1 : a.rank - b.rank;
    return sorting.down ? -order : order;
  });
}

function fillTable() {
  const body = byId("table").tBodies[0], shown = shownTests();
  body.replaceChildren(...shown.map((test) => {
    const row = element("tr", { tabindex: "0", class: test === state.test ? "chosen" : "" },
      ...columns.map((column) => element("td", { class: [column.numeric ? "num" : "", column.class || ""].join(" ").trim(), title: column.class ? test.stem : "" }, column.show(test))));
    row.addEventListener("click", () => choose(test));
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(test); });
    return row;
  }));
  byId("f-shown").textContent = shown.length === tests.length ? `${tests.length} tests` : `${shown.length} of ${tests.length} tests`;
  [...byId("table").tHead.rows[0].cells].forEach((cell, k) => cell.setAttribute("aria-sort", k !== sorting.column ? "none" : sorting.down ? "descending" : "ascending"));
}

function buildTable() {
  byId("table").tHead.append(element("tr", {}, ...columns.map((column, k) => {
    const cell = element("th", { scope: "col", class: column.numeric ? "num" : "" }, column.head);
    cell.addEventListener("click", () => { sorting.down = sorting.column === k && !sorting.down; sorting.column = k; fillTable(); });
    return cell;
  })));
  for (const count of [...new Set(tests.map((t) => t.obstacles.length))].sort((a, b) => a - b)) {
    byId("f-count").append(element("option", { value: count }, `${count} obstacle${count === 1 ? "" : "s"}`));
  }
  for (const id of ["f-text", "f-outcome", "f-confirmed", "f-count"]) byId(id).addEventListener("input", fillTable);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("no-tests").hidden = tests.length > 0;
}
