// Replay: play, pause, speed, slider, a click in the chart. Shared by report and studio; `showTime` draws the moment.
const endOf = (run) => run.t[run.t.length - 1];
let lastFrame = 0;
function goTo(time) { if (!state.run) return; state.time = clamp(time, state.run.t[0], endOf(state.run)); showTime(); }
function tick(now) {
  if (!state.playing || !state.run) return;
  state.time = Math.min(endOf(state.run), state.time + 0.001 * byId("speed").value * (now - lastFrame)); lastFrame = now;
  if (state.time >= endOf(state.run)) play(false);
  showTime(); requestAnimationFrame(tick);
}
function play(on) {
  if (!state.run) return;
  state.playing = on; byId("play").textContent = on ? "Pause" : "Play";
  if (!on) return;
  if (state.time >= endOf(state.run)) [state.time] = state.run.t;
  lastFrame = performance.now(); requestAnimationFrame(tick);
}
// The slider, and what a screen reader says of it.
function showSlider(text) {
  const { run } = state, slider = byId("time");
  slider.value = String(Math.round(1000 * (state.time - run.t[0]) / Math.max(1e-9, endOf(run) - run.t[0])));
  slider.setAttribute("aria-valuetext", text); byId("clock").textContent = text;
}
byId("play").addEventListener("click", () => play(!state.playing));
byId("time").addEventListener("input", (event) => { if (state.run) goTo(state.run.t[0] + event.target.value / 1000 * (endOf(state.run) - state.run.t[0])); });
const goToClick = (event, plot) => {
  if (!plot || !state.run) return;
  const { left, right, width } = plot;
  goTo(state.run.t[0] + clamp((event.offsetX - left) / (width - left - right), 0, 1) * (endOf(state.run) - state.run.t[0]));
};
byId("distance").addEventListener("click", (event) => goToClick(event, distancePlot));
