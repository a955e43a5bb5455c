// Why tests fail: what was left of each formula over time, and the mechanisms of the suite.
function chosenFormula() {
  const formulas = state.run && state.run.formulas;
  return formulas && formulas.length ? formulas[Math.min(+byId("formula").value || 0, formulas.length - 1)] : null;
}

function drawMargin() {
  const formulas = (state.run && state.run.formulas) || [], figure = byId("margin-figure");
  figure.hidden = !formulas.length;
  if (!formulas.length) return;
  const select = byId("formula"), names = formulas.map((one) => one.name).join("\n");
  if (select.dataset.names !== names) {
    select.dataset.names = names;
    select.replaceChildren(...formulas.map((one, k) => element("option", { value: k }, one.name)));
  }
  const one = chosenFormula(), first = state.run.t[0], near = one.left.map((value) => clamp(value, -10, 10));
  byId("formula-sentence").textContent = one.sentence;
  const low = Math.min(-0.2, ...near), high = Math.max(0.2, Math.min(6, Math.max(...near)));
  const plot = frame(byId("margin"), { x: [one.t[0], one.t[one.t.length - 1]], y: [low, high], xLabel: "time [s]" });
  const { pen, toX, toY } = plot;
  threshold(plot, 0, "broken below 0", colour("hard"));
  line(pen, one.t.map((t, k) => [toX(t), toY(clamp(near[k], low, high))]), colour("ink"), 2);
  if (one.breaks_s !== null) {
    const x = toX(one.breaks_s);
    line(pen, [[x, plot.top], [x, plot.height - plot.bottom]], colour("hard"), 1.5, [4, 3]);
    pen.fillStyle = colour("hard"); pen.textAlign = x > plot.width / 2 ? "right" : "left";
    pen.fillText(`breaks after ${number(one.breaks_s, 1)} s`, x + (x > plot.width / 2 ? -6 : 6), plot.top + 10);
  }
  const now = toX(state.time - first);
  line(pen, [[now, plot.top], [now, plot.height - plot.bottom]], colour("ink"), 1);
}
watchers.push(drawMargin);

function buildMechanisms() {
  byId("mechanisms").hidden = !data.mechanisms.length;
  byId("mechanism-table").replaceChildren(...data.mechanisms.map((group) => {
    const test = tests.find((one) => one.stem === group.representative), shown = element("button", { type: "button", class: "link" }, `Test ${testNumber(test)}`);
    shown.addEventListener("click", () => choose(test));
    return element("tr", {}, element("td", { class: "num" }, String(group.count)), element("td", {}, element("b", {}, group.mechanism), element("span", { class: "sub" }, ` ${group.meaning}`)),
      element("td", {}, shown), element("td", { class: "num" }, `${number(group.least_distance_m)} m`));
  }));
}
