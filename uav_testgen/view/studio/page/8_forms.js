// Parts of the forms that start jobs. Everything that can be chosen comes from the server's declarations.
const lastPart = (name) => name.includes(":") ? `${name.split("/").pop()} (yours)` : name;

function labelled(label, input, note, isWhole) { return element("label", isWhole ? { class: "whole" } : {}, label, input, ...(note ? [element("small", {}, note)] : [])); }
function textEntry(label, value, attributes = {}) { const input = element("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes }); input.value = value; return { node: labelled(label, input), input, value: () => input.value.trim() }; }
function countEntry(label, value, low, high, title, ifEmpty) {
  const input = element("input", { type: "number", min: low, step: 1, ...(high ? { max: high } : {}), ...(title ? { title } : {}), ...(ifEmpty ? { placeholder: ifEmpty } : {}) }); if (value !== null) input.value = value;
  return { node: labelled(label, input), input, value: () => Number.isNaN(input.valueAsNumber) ? undefined : Math.round(input.valueAsNumber) };
}
function optionsOf(words) { return words.map(([value, text]) => element("option", { value }, text)); }
function choiceEntry(label, groups, value) {
  const input = element("select", {}, ...groups.flatMap(([title, words]) => !words.length ? [] : title ? [element("optgroup", { label: title }, ...optionsOf(words))] : optionsOf(words)));
  if (value !== undefined) input.value = value;
  return { node: labelled(label, input), input, value: () => input.value };
}
const named = (list) => list.map((name) => [name, lastPart(name)]);

// Several of a list, as boxes to tick.
function tickEntry(label, names, ticked) {
  const boxes = names.map((name) => { const input = element("input", { type: "checkbox", value: name }); input.checked = ticked.includes(name); return input; });
  const node = element("fieldset", { class: "whole ticks" }, element("legend", {}, label), ...boxes.map((input, k) => element("label", { class: "check" }, input, lastPart(names[k]))));
  return { node, boxes, value: () => boxes.filter((one) => one.checked).map((one) => one.value) };
}

// Settings of a declaration; only what was changed is sent, so defaults stay where they are declared.
function declaredEntries(menuItems, skip = []) {
  const entries = menuItems.filter((one) => !skip.includes(one.name)).map((one) => {
    const input = one.words ? element("select", {}, ...optionsOf(one.words.map((word) => [word, String(word).replaceAll("_", " ")])))
      : element("input", one.kind === "boolean" ? { type: "checkbox" } : { type: one.kind === "string" ? "text" : "number", step: one.kind === "integer" ? 1 : "any", ...(one.low !== null ? { min: one.low } : {}), ...(one.high !== null ? { max: one.high } : {}) });
    input.title = one.text; if (one.kind === "boolean") input.checked = !!one.default; else input.value = typeof one.default === "number" ? round(one.default, 4) : one.default ?? "";
    const read = () => one.kind === "boolean" ? input.checked : one.kind === "string" ? input.value : input.value === "" ? null : input.valueAsNumber;
    const first = read();
    return { name: one.name, input, node: labelled(titleOf(one.name), input), changed: () => JSON.stringify(read()) !== JSON.stringify(first), value: read };
  });
  return { node: element("div", { class: "form" }, ...entries.map((one) => one.node)), isEmpty: !entries.length, value: () => Object.fromEntries(entries.filter((one) => one.changed()).map((one) => [one.name, one.value()])) };
}
function folded(title, ...nodes) { return element("details", { class: "whole" }, element("summary", {}, title), ...nodes); }

// Requirements: names with arguments, or formulas, each on a line of its own.
function requirementEntry() {
  const id = `requirements-${Math.random().toString(36).slice(2, 8)}`, lines = element("div", { class: "lines" }), given = [];
  const show = () => lines.replaceChildren(...given.map((text, index) => {
    const remove = element("button", { type: "button", "aria-label": `Remove ${text}` }, "✕"); remove.addEventListener("click", () => { given.splice(index, 1); show(); });
    return element("span", { class: "chip" }, lastPart(text), remove);
  }), ...(given.length ? [] : [element("span", { class: "quiet" }, `None: the safe distance of ${choices.safe_distance_m} m decides.`)]));
  const input = element("input", { type: "text", list: id, maxlength: 1000, placeholder: "max_altitude(limit_m=12) or always (distance > 1.5)", "aria-label": "Requirement: a name with arguments, or a formula" }), add = element("button", { type: "button" }, "Add");
  const take = () => { const text = input.value.trim(); if (text && !given.includes(text)) given.push(text); input.value = ""; show(); };
  add.addEventListener("click", take); input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); take(); } });
  given.push(...choices.own.requirements); show();
  return { node: folded("Requirements", lines, element("p", { class: "adding" }, input, add, element("datalist", { id }, ...choices.requirements.map((name) => element("option", { value: name }))))), value: () => { take(); return [...given]; } };
}
// System, planner and camera; empty where the default is kept.
function systemEntry(withPlanner = true, planner = choices.own.planners[0] || "") {
  const parts = { system: choiceEntry("System", [["", [["", `${choices.default_system} (default)`], ...named(choices.systems.filter((name) => name !== choices.default_system))]]], "") };
  if (withPlanner) parts.planner = choiceEntry("Planner", [["", [["", "the system's own"], ...named(choices.planners)]]], planner);
  parts.camera = choiceEntry("Camera", [["", [["", "the system's own"], ...named(choices.cameras)]]], "");
  return { node: folded(withPlanner ? "System, planner, camera" : "System, camera", element("div", { class: "form" }, ...Object.values(parts).map((one) => one.node))), value: () => Object.fromEntries(Object.entries(parts).map(([key, one]) => [key, one.value()]).filter(([, value]) => value)) };
}
// Where obstacles are placed: a mission, a logical scenario, or a file of the folder.
function caseEntry(label = "Mission or scenario") {
  const made = choiceEntry(label, [["Missions", named(choices.missions)], ["Logical scenarios", named(choices.logical_scenarios)]], "mission2");
  ask("/api/files").then(({ files }) => { if (files.length) made.input.append(element("optgroup", { label: "Files of this folder" }, ...optionsOf(files.slice(0, 200).map(({ path }) => [path, path])))); }).catch(() => { /* the menu stays without files */ });
  return { ...made, isLogical: () => choices.logical_scenarios.includes(made.value()) };
}
// Generator with its settings; stella asks for an algorithm or a sequence of them.
function generatorEntry(onLogical) {
  const pickOne = choiceEntry("Generator", [["", named(choices.generators)]], choices.own.generators[0] || "prgen"), place = element("div", { class: "whole" });
  let read = () => ({});
  const show = () => {
    const name = pickOne.value();
    if (name === "stella") {
      const algorithm = choiceEntry("Algorithm", [["Single", named(choices.single_algorithms)], ["One after the other", named(choices.algorithms.filter((one) => one.includes("+")))]], "nsga2"), inner = element("div", {}), safety = declaredEntries(choices.generator_menus.stella, ["algorithm"]);
      let settings = { value: () => ({}) };
      const again = () => { settings = declaredEntries(choices.algorithm_menus[algorithm.value().includes("+") ? "+" : algorithm.value()]); inner.replaceChildren(settings.node); };
      algorithm.input.addEventListener("change", again); again();
      place.replaceChildren(element("div", { class: "form" }, algorithm.node), folded("Settings of the algorithm", safety.node, inner));
      read = () => ({ algorithm: algorithm.value(), ...safety.value(), ...(Object.keys(settings.value()).length ? { settings: settings.value() } : {}) });
    } else {
      const settings = declaredEntries(choices.generator_menus[name] || []);
      place.replaceChildren(...(settings.isEmpty ? [] : [folded("Settings of the generator", settings.node)]));
      read = settings.value;
    }
  };
  pickOne.input.addEventListener("change", show); show();
  return { node: pickOne.node, more: place, input: pickOne.input, name: pickOne.value, settings: () => read(), suggest: (name) => { pickOne.input.value = name; show(); } };
}
// Files from elsewhere, dropped or chosen; `take` gets them, and what it raises is said below.
function dropEntry(id, text, accept, take) {
  const input = element("input", { type: "file", accept, multiple: "", "aria-label": text }), listed = element("p", { class: "lines" }), trouble = element("p", { class: "error", role: "alert", hidden: "" });
  const drop = element("div", { class: "drop", id }, element("p", {}, element("b", {}, text), element("br", {}), "or choose them:"), input, listed, trouble);
  const taken = async (files) => { try { await take([...files]); report(trouble, null); } catch (error) { report(trouble, error); } input.value = ""; };
  input.addEventListener("change", () => taken(input.files));
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => { event.preventDefault(); drop.classList.remove("over"); taken(event.dataTransfer.files); });
  return { node: drop, show: (names) => listed.replaceChildren(...names.map((name) => element("span", { class: "chip" }, name))) };
}
const upload = async (file) => (await ask(`/api/upload?name=${encodeURIComponent(file.name)}`, file)).path;
// A form whose errors appear below its button.
function startForm(title, nodes, buttonText, submit) {
  const go = element("button", { type: "submit", class: "primary" }, buttonText), trouble = element("p", { class: "error", role: "alert", hidden: "" });
  const form = element("form", { class: "card job-form" }, element("h2", {}, title), element("div", { class: "form" }, ...nodes), element("p", { class: "actions" }, go), trouble);
  form.addEventListener("submit", async (event) => {
    event.preventDefault(); go.disabled = true;
    try { await submit(); report(trouble, null); } catch (error) { report(trouble, error); }
    go.disabled = false;
  });
  return form;
}
const without = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null && value !== ""));
