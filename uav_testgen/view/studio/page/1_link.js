// Talks to the server: requests with the token, and one WebSocket that comes back by itself.
const token = new URLSearchParams(location.search).get("token") || "";

async function ask(path, body, method) {
  const options = { method: method || (body === undefined ? "GET" : "POST"), headers: { "X-Studio-Token": token } };
  if (body !== undefined) options.body = body instanceof Blob ? body : JSON.stringify(body);
  let answer;
  try { answer = await fetch(path, options); } catch { throw new Error("The studio's server does not answer. Start it again with: uav-testgen studio"); }
  const type = answer.headers.get("content-type") || "";
  const found = type.includes("json") ? await answer.json() : { error: (await answer.text()).trim() };
  if (!answer.ok) { const error = new Error(found.error || `The server answered ${answer.status}.`); error.status = answer.status; throw error; }
  return found;
}

const link = { socket: null, isOpen: false, isWarm: false, number: 0, waiting: null, sentAt: 0, queued: null, later: null };

function showLink(text, isOff) { byId("link-state").textContent = text; byId("link-state").classList.toggle("off", !!isOff); }

function connect() {
  const socket = new WebSocket(`ws://${location.host}/live?token=${encodeURIComponent(token)}`);
  link.socket = socket;
  socket.addEventListener("open", () => { link.isOpen = true; link.waiting = null; showLink("connected"); sendScene(true); });
  socket.addEventListener("message", (event) => take(JSON.parse(event.data)));
  socket.addEventListener("close", () => {
    link.isOpen = false; link.waiting = null;
    showLink("server away, trying again", true);
    setTimeout(connect, 700);
  });
}

function take(message) {
  if (message.type === "hello" || message.type === "pong") {
    link.isWarm = message.warm;
    showLink(message.trouble || (message.warm ? "connected" : "warming up"), !!message.trouble);
    if (!message.warm && !message.trouble) setTimeout(() => { if (link.isOpen) link.socket.send('{"type":"ping"}'); }, 700);
    return;
  }
  if (message.id !== link.number) return; // an answer to an older scene
  if (message.type === "path" || message.type === "error") {
    link.waiting = null;
    if (!link.isWarm) { link.isWarm = true; showLink("connected"); }
  }
  takers[message.type]?.(message);
  if (link.waiting === null && link.queued !== null) sendScene(link.queued);
}
const takers = {};

// One scene is under way at a time; of those drawn meanwhile only the newest is sent. A flight that takes
// longer than this is overtaken: the server stops it.
const PATIENCE_MS = 250;
function sendScene(isSettled) {
  clearTimeout(link.later);
  if (!link.isOpen || !scene.now) return;
  if (link.waiting !== null && !isSettled && performance.now() - link.sentAt < PATIENCE_MS) {
    link.queued = isSettled;
    link.later = setTimeout(() => sendScene(false), PATIENCE_MS);
    return;
  }
  link.queued = null;
  link.waiting = ++link.number;
  link.sentAt = performance.now();
  link.socket.send(JSON.stringify({ type: "scene", id: link.number, scene: scene.now, system: scene.system, requirements: scene.requirements, runs: scene.runs, settled: isSettled }));
}
