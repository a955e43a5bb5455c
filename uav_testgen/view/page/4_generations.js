// What the generator says about its search: one row for each generation, and its lengths as lines.
const unitOf = { m: "m", s: "s" };
function columnTitle(name) {
  const parts = name.split("_"), unit = parts.length > 1 ? unitOf[parts[parts.length - 1]] : undefined;
  const words = (unit ? parts.slice(0, -1) : parts).join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1) + (unit ? ` [${unit}]` : "");
}

function buildGenerations() {
  const found = data.generations;
  if (!found) return;
  byId("generations").hidden = false;
  byId("generations-text").textContent = found.text;
  byId("generation-table").tHead.replaceChildren(element("tr", {}, ...found.columns.map((name) => element("th", { scope: "col" }, columnTitle(name)))));
  byId("generation-table").tBodies[0].replaceChildren(...found.rows.map((row) => element("tr", {},
    ...row.map((value, k) => element("td", {}, unitOf[found.columns[k].split("_").pop()] ? number(value) : String(value))))));
}

function drawGenerations() {
  const found = data.generations;
  if (!found) return;
  const lengths = found.columns.map((name, k) => [name, k]).filter(([name]) => name.endsWith("_m"));
  const first = found.rows[0][0], last = Math.max(first + 1, found.rows[found.rows.length - 1][0]);
  const top = Math.max(1, ...lengths.flatMap(([, k]) => found.rows.map((row) => row[k]))) * 1.08;
  const plot = frame(byId("generation-chart"), { x: [first, last], y: [0, top], xLabel: "generation" });
  const styles = [colour("accent"), colour("ink"), colour("soft"), colour("safe")];
  let x = plot.left + 8;
  lengths.forEach(([name, k], place) => {
    const style = styles[place % styles.length];
    const points = found.rows.map((row) => [plot.toX(row[0]), plot.toY(row[k])]);
    line(plot.pen, points, style, 1.8);
    for (const [at, height] of points) { plot.pen.beginPath(); plot.pen.arc(at, height, 2.5, 0, 7); plot.pen.fillStyle = style; plot.pen.fill(); }
    const text = columnTitle(name).replace(" [m]", "");
    plot.pen.fillStyle = style; plot.pen.textAlign = "left"; plot.pen.textBaseline = "alphabetic";
    plot.pen.fillText(text, x, 14);
    x += plot.pen.measureText(text).width + 18;
  });
}
