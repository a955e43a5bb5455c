// What a reader of the report does, one thing after the other; the answers end up in an element of their own.
(() => {
  const answers = {}, by = (id) => document.getElementById(id);
  const say = (id, value) => {
    by(id).value = value;
    by(id).dispatchEvent(new Event("input", { bubbles: true }));
  };
  const rows = () => [...by("table").tBodies[0].rows];
  const changed = (act) => {
    const before = by("space").toDataURL();
    act();
    return by("space").toDataURL() !== before;
  };
  const pointer = (kind, x, y) => by("space").dispatchEvent(
    new PointerEvent(kind, { clientX: x, clientY: y, pointerId: 1, bubbles: true }));
  // A pointer that is not real cannot be captured.
  HTMLElement.prototype.setPointerCapture = () => {};
  // Without a screen no frame is ever drawn.
  window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);

  function look() {
    say("f-text", rows()[1].cells[1].textContent);
    answers.by_name = rows().length;
    say("f-text", "");
    say("f-confirmed", "no");
    answers.refuted = rows().length;
    say("f-confirmed", "");
    say("f-outcome", "hard_fail");
    answers.hard = rows().length;
    say("f-outcome", "");
    answers.all_again = rows().length;
    by("table").tHead.rows[0].cells[3].click();
    answers.sorted = rows().map((row) => parseFloat(row.cells[3].textContent));
    rows()[2].click();
    answers.chosen = rows().findIndex((row) => row.className === "chosen");
    answers.heading_names_it = by("h-flight").textContent.includes(rows()[2].cells[1].textContent);
    say("time", 0);
    const start = by("clock").textContent;
    say("time", 700);
    answers.clock_moves = by("clock").textContent !== start;
    answers.turns = changed(() => {
      pointer("pointerdown", 50, 50);
      pointer("pointermove", 90, 70);
      pointer("pointerup", 90, 70);
    });
    answers.zooms = changed(() => by("space").dispatchEvent(new WheelEvent("wheel", { deltaY: -200, cancelable: true })));
    say("time", 0);
    by("play").click();
    setTimeout(end, 1500);
  }

  function end() {
    answers.plays = +by("time").value > 0;
    by("play").click();
    const theme = document.documentElement.dataset.theme;
    by("theme").click();
    answers.theme_changes = document.documentElement.dataset.theme !== theme;
    const shown = Object.assign(document.createElement("pre"), { id: "answers" });
    shown.textContent = JSON.stringify(answers);
    document.body.append(shown);
  }

  setTimeout(look, 500);
})();
