// The right side: verdict, broken rules, numbers of what is chosen, setting of the whole scene.
function pane(name) {
  for (const one of ["selected", "setting", "sees"]) { byId(`tab-${one}`).setAttribute("aria-selected", String(one === name)); byId(`pane-${one}`).hidden = one !== name; }
  if (name === "sees") showSees();
}
for (const one of ["selected", "setting", "sees"]) byId(`tab-${one}`).addEventListener("click", () => pane(one));

function showVerdict() {
  const run = flown.nominal, told = flown.prediction, box = byId("verdict");
  box.dataset.state = flown.error ? "error" : flown.isStale || !run ? "flying" : told ? "predicted" : "path";
  byId("map-error").hidden = !flown.error; byId("map-error").textContent = flown.error;
  if (!run) { byId("outcome").textContent = flown.error ? "not flown" : "flying…"; byId("outcome").className = "pill open"; return; }
  const distance = told ? told.distance_m : run.distance_m, chance = told ? told.failure_probability ?? told.share_too_close : null;
  const isUnsure = chance !== null && chance > 0.1 && chance < 0.9;
  byId("outcome").textContent = isUnsure ? "◆ uncertain" : outcomeWord(run.outcome); byId("outcome").className = `pill ${isUnsure ? "incomplete" : run.outcome}`;
  byId("outcome").title = isUnsure ? "the drawn runs disagree" : "of the nominal run";
  box.className = `verdict${run.outcome === "hard_fail" || (distance !== null && distance < data.soft_below_m) ? (isUnsure ? " unsure" : " danger") : isUnsure || run.outcome === "incomplete" ? " unsure" : ""}${flown.isStale ? " waiting" : ""}`;
  byId("distance-value").textContent = distance === null ? "–" : `${number(distance)} m`;
  byId("distance-note").textContent = distance === null ? "no obstacle to come near to" : told ? "predicted least distance" : "of the nominal run";
  const span = told?.distance_interval, interval = byId("interval");
  interval.hidden = !span || flown.isStale; interval.textContent = span ? `in reality ${span.text}${span.guaranteed ? "" : " (not guaranteed)"}` : "";
  interval.title = !span ? "" : span.guaranteed ? `Where ${percent(span.coverage)} of real flights lie, measured on recorded flights` : span.doubt;
  byId("chance-fill").style.width = `${100 * (chance || 0)}%`;
  byId("chance-text").textContent = chance === null ? "probability: flying more runs…" : chanceText(told, data.soft_below_m);
  byId("counts").textContent = told ? `${told.runs} drawn runs: ${told.counts}${told.share_too_close_95 ? ` (95 % interval ${percent(told.share_too_close_95[0])} to ${percent(told.share_too_close_95[1])})` : ""}${told.calibrated ? "" : "; not calibrated for this planner"}${(told.unvalidated || []).length ? `; not validated for ${told.unvalidated.join(", ")}` : ""}`.replaceAll(" %", "\u00a0%") : flown.ghosts.length ? `${flown.ghosts.length} of ${scene.runs} drawn runs flown` : "";
  byId("runs-state").textContent = flown.isStale ? "flying…" : flown.ms === null ? "" : `path in ${Math.round(flown.ms)} ms`;
  byId("sentence").textContent = `Nominal run: ${run.sentence}`;
  byId("requirements").replaceChildren(...(run.requirements || []).map(({ text, met, value, sentence }, k) => {
    const drawn = flown.isStale ? [] : flown.ghosts, broken = drawn.filter((one) => one.requirements[k]?.met === false).length, isMixed = met === true && broken > 0;
    const word = met === false ? "violated" : isMixed ? "violated in some runs" : met ? "met" : "cannot be told";
    return element("li", { class: met === false ? "no" : isMixed ? "some" : met ? "yes" : "", title: sentence || word }, element("b", { role: "img", "aria-label": word }, met === false ? "✕" : isMixed ? "◆" : met ? "✓" : "?"),
      element("span", {}, text, ...(broken ? [element("small", {}, `violated in ${broken} of ${drawn.length} drawn runs`)] : [])), element("span", {}, value));
  }));
}

function showProblems() {
  const box = byId("problems"), { problems } = scene;
  box.hidden = !problems.length;
  box.replaceChildren(element("h3", {}, `! ${problems.length} rule${problems.length === 1 ? "" : "s"} broken`), ...problems.map((one) => {
    const button = element("button", { type: "button" }, ruleText(one.message), element("span", {}, ruleText(one.way_out)));
    button.addEventListener("click", () => { if (one.obstacle !== null) choose("obstacle", one.obstacle); });
    return button;
  }));
}

// A number that changes the scene when it is typed. `get` and `set` see the scene as it is now.
const fieldsShown = [];
function field(label, get, set, options = {}) {
  const input = options.words ? element("select", {}, ...options.words.map((word) => element("option", { value: word }, String(word).replaceAll("_", " "))))
    : element("input", options.kind === "boolean" ? { type: "checkbox" } : { type: options.text ? "text" : "number", step: "any", ...(options.low !== undefined && options.low !== null ? { min: options.low } : {}), ...(options.high !== undefined && options.high !== null ? { max: options.high } : {}), ...(options.text ? { maxlength: 200 } : {}) });
  if (options.title) input.title = options.title;
  if (options.said) input.setAttribute("aria-label", options.said);
  if (options.ifEmpty) input.placeholder = options.ifEmpty;
  const show = () => { if (document.activeElement === input) return; if (options.kind === "boolean") input.checked = !!get(); else { const value = get(); input.value = value === null || value === undefined ? "" : typeof value === "number" ? String(round(value, 3)) : value; } };
  input.addEventListener(options.words || options.kind === "boolean" ? "change" : "input", () => {
    const value = options.kind === "boolean" ? input.checked : options.text || options.words ? input.value : input.valueAsNumber;
    if ((typeof value === "number" && Number.isNaN(value)) || !input.checkValidity()) return;
    if (!input.isEditing) { remember(); input.isEditing = true; }
    set(value); changed(true);
  });
  input.addEventListener("blur", () => { input.isEditing = false; show(); });
  show(); fieldsShown.push(show);
  if (options.kind === "boolean") return element("label", { class: "check" }, input, label);
  return element("label", options.whole ? { class: "whole" } : {}, label, input);
}
function showNumbers() { fieldsShown.forEach((show) => show()); }

const unitWords = [[/_mps$/, " [m/s]"], [/_m$/, " [m]"], [/_s$/, " [s]"], [/_deg$/, " [°]"], [/_rad$/, " [rad]"]];
function titleOf(name) {
  const [pattern, unit] = unitWords.find(([one]) => one.test(name)) || [/$^/, ""], words = name.replace(pattern, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1) + unit;
}
// Fields made from a declaration: the same one that files and the parameters page are made from.
function menu(name, place, skip = []) {
  return choices.menus[name].filter((one) => !skip.includes(one.name)).map((one) => field(titleOf(one.name), () => place()?.[one.name], (value) => { place()[one.name] = value; },
    { words: one.words, kind: one.kind, text: one.kind === "string" && !one.words, low: one.low, high: one.high, title: one.text, ifEmpty: one.default === null ? "as the system has it" : "" }));
}

function selectedParts() {
  if (!scene.chosen) {
    const items = scene.now.obstacles.map((one, index) => ["obstacle", index, nameOf(index)]).concat([["home", 0, "Home"]], scene.now.mission.waypoints.map((_, index) => ["waypoint", index, `Waypoint ${index + 1}`]));
    return [element("p", { class: "quiet" }, "Choose something on the map, or here. Drag it, or use the arrow keys."), element("ul", { class: "items" }, ...items.map(([kind, index, text]) => {
      const button = element("button", { type: "button" }, text); button.addEventListener("click", () => choose(kind, index)); return element("li", {}, button);
    }))];
  }
  const { kind, index } = scene.chosen, at = () => pointOf(kind, index), parts = [];
  const coordinates = [field("East [m]", () => at()[0], (v) => moveTo(kind, index, v, at()[1])), field("North [m]", () => at()[1], (v) => moveTo(kind, index, at()[0], v))];
  if (kind !== "obstacle") {
    parts.push(element("h3", {}, kind === "home" ? "Home" : `Waypoint ${index + 1}`), element("div", { class: "fields" }, ...coordinates, field("Height [m]", () => at()[2], (v) => { at()[2] = round(v); })));
    if (kind === "waypoint") parts.push(actions(["Delete", removeChosen, "danger", scene.now.mission.waypoints.length === 1]));
    return parts;
  }
  const one = () => scene.now.obstacles[index], shape = one().shape;
  const sizes = forms[shape].sides.map(([name, axes]) => [`${name[0].toUpperCase()}${name.slice(1)} [m]`, axes[0]]);
  parts.push(element("h3", {}, `${forms[shape].word} ${index + 1}`), element("div", { class: "fields" },
    field("Name", () => one().name, (v) => { one().name = v; }, { text: true, whole: true }), ...coordinates,
    ...sizes.map(([label, axis]) => field(label, () => one().size_m[axis], (v) => resizeTo(index, axis, v), { low: 0.2, high: 200 })),
    ...(forms[shape].turns ? [field("Turned [°]", () => one().yaw_rad * 180 / Math.PI, (v) => turnTo(index, v * Math.PI / 180), { title: "counter-clockwise, seen from above" })] : []),
    field("Base above ground [m]", () => one().center_enu_m[2] - one().size_m[2] / 2, (v) => { one().center_enu_m[2] = round(v + one().size_m[2] / 2); })));
  parts.push(actions(["Copy", duplicate], ["Delete", removeChosen, "danger"], [one().motion ? "Let it rest" : "Let it move", () => letMove(index, !one().motion)]));
  if (one().motion) parts.push(element("h3", {}, "Motion"), element("div", { class: "fields" }, ...menu("motion", () => one().motion)), ...wayParts(index));
  return parts;
}
// The corners of a moving obstacle's way, as numbers.
function wayParts(index) {
  const one = scene.now.obstacles[index], last = one.motion.via_enu_m.length;
  const rows = cornersOf(one).map((_, k) => {
    const at = () => pointOf("motion", index, k), name = k === last ? "End" : `Corner ${k + 1}`;
    const row = element("div", { class: "fields three", role: "group", "aria-label": name }, element("p", { class: "corner" }, element("span", {}, name)), ...["East", "North", "Height"].map((word, axis) => field(`${word} [m]`, () => at()?.[axis], (v) => { at()[axis] = round(v); }, { said: `${name}, ${word.toLowerCase()} [m]` })));
    if (k < last) { const gone = element("button", { type: "button", "aria-label": `Remove corner ${k + 1}` }, "Remove"); gone.addEventListener("click", () => removeCorner(index, k)); row.firstChild.append(gone); }
    return row;
  });
  return [...rows, actions(["Add a corner", () => addCorner(index)])];
}
function actions(...list) {
  return element("p", { class: "actions" }, ...list.map(([text, act, style, isOff]) => {
    const button = element("button", { type: "button", class: style || "" }, text); if (isOff) button.disabled = true; button.addEventListener("click", act); return button;
  }));
}
function pick(label, words, get, set) {
  const select = element("select", {}, ...words.map(([value, text]) => element("option", { value }, text)));
  select.value = get(); select.addEventListener("change", () => set(select.value));
  return element("label", { class: "whole" }, label, select);
}
// Requirements by name with arguments, or formulas as text; what is wrong with one is said beside it.
function requirementParts() {
  const input = element("input", { type: "text", id: "requirement-text", list: "requirement-menu", maxlength: 1000, placeholder: "max_altitude(limit_m=12)", "aria-label": "A requirement or a formula" }), trouble = element("p", { class: "error", role: "alert", hidden: "" });
  const list = element("datalist", { id: "requirement-menu" }, ...choices.requirement_menu.map(({ text, about }) => element("option", { value: text }, about))), add = element("button", { type: "submit" }, "Add");
  const form = element("form", { class: "one-line" }, input, add, list);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { text } = await ask("/api/requirement", { text: input.value.trim() });
      if (!scene.requirements.includes(text)) scene.requirements.push(text);
      input.value = ""; input.blur(); report(trouble, null); changed(true);
    } catch (error) { report(trouble, error); }
  });
  const rows = scene.requirements.map((text, k) => {
    const gone = element("button", { type: "button", "aria-label": `Remove ${text}` }, "Remove"); gone.addEventListener("click", () => { scene.requirements.splice(k, 1); changed(true); });
    return element("li", {}, element("code", {}, text), gone);
  });
  return element("details", { id: "requirement-choice" }, element("summary", {}, `Requirements${rows.length ? ` (${rows.length})` : ""}`), element("p", { class: "quiet" }, "What else must hold in every run; the verdicts are above."), element("ul", { class: "chosen-requirements" }, ...rows), form, trouble);
}
function settingParts() {
  const system = (key) => [() => scene.system[key] || "", (value) => { if (value) scene.system[key] = value; else delete scene.system[key]; changed(true); }];
  const named = (list, first) => [["", first], ...list.map((name) => [name, name])];
  const folded = (title, fields) => element("details", {}, element("summary", {}, title), element("div", { class: "fields" }, ...fields));
  return [element("div", { class: "fields" }, field("Name of the scene", () => scene.now.name, (v) => { scene.now.name = v; }, { text: true, whole: true }),
    pick("System", named(choices.systems.filter((name) => name !== choices.default_system), `${choices.default_system} (default)`), ...system("system")),
    pick("Planner", [["", "the system's own"], ...choices.planners.map((name) => [name, name.replace(/^.*\//, "")])], ...system("planner")), pick("Camera", named(choices.cameras, "the system's own"), ...system("camera")),
    pick("Drawn runs", [3, 5, 10, 20].map((n) => [String(n), String(n)]), () => String(scene.runs), (v) => { scene.runs = +v; changed(true); }),
    field("Seed", () => scene.now.seed, (v) => { scene.now.seed = Math.max(0, Math.round(v)); }, { low: 0 })),
  requirementParts(), folded("Mission", menu("mission", () => scene.now.mission, ["name", "home_yaw_rad"])), folded("Wind", menu("wind", () => scene.now.wind)),
  folded("Visibility and fog", menu("visibility", () => scene.now.visibility)), folded("Landform and ground", menu("terrain", () => scene.now.terrain)), folded("Rules for obstacles", menu("arena", () => scene.now.arena))];
}
function showInspector() {
  if (!scene.now || !choices) return;
  const active = document.activeElement, isTyping = active && active.matches("input, select") && (byId("pane-selected").contains(active) || byId("pane-setting").contains(active));
  if (isTyping) { showNumbers(); return; }
  fieldsShown.length = 0;
  const open = [...byId("pane-setting").querySelectorAll("details")].map((one) => one.open);
  byId("pane-selected").replaceChildren(...selectedParts()); byId("pane-setting").replaceChildren(...settingParts());
  [...byId("pane-setting").querySelectorAll("details")].forEach((one, k) => { one.open = !!open[k]; });
}
takers.problems = ({ problems }) => { scene.problems = problems; showProblems(); drawEditor(); };
takers.path = ({ path, ms }) => {
  const isFirst = !flown.nominal;
  flown.nominal = path; flown.ghosts = []; flown.prediction = null; flown.ms = ms; flown.isStale = false; flown.error = "";
  state.test = { obstacles: scene.now.obstacles.map(obstacleShown), runs: [path] }; state.run = path;
  const end = path.t[path.t.length - 1];
  if (isFirst || state.time > end) state.time = path.nearest ? path.nearest.t : 0;
  if (isFirst) lookAtFlight();
  forgetRecording(); showVerdict(); showTime();
};
takers.ghost = ({ path }) => { flown.ghosts.push(path); showVerdict(); drawEditor(); };
takers.prediction = ({ prediction }) => { flown.prediction = prediction; showVerdict(); };
takers.error = ({ message }) => { flown.error = message; flown.isStale = false; showVerdict(); drawEditor(); };
