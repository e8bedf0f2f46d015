// Without this the page shows the game as it was when the page was asked for.

const PICTURE_MS = 200;
const STATE_MS = 700;
const TROUBLE_MS = 3000;

const live = document.querySelector(".live");
const [camera, said, read, lost] = [".camera", ".said", ".read", ".lost"].map((name) =>
  live.querySelector(name),
);
const cameraUrl = camera.src;
let pictures = 0;
let shown = live.dataset.number;

const openDetails = () => [...read.querySelectorAll("details[open]")];
const touchables = () => [...read.querySelectorAll("a, summary")];
const nameOf = (details) => details.querySelector(".player").textContent.trim();
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

repeat(showPicture, PICTURE_MS);
repeat(showState, STATE_MS);

async function repeat(step, everyMs) {
  for (;;) {
    const due = performance.now() + everyMs;
    // In a page that nobody sees, nothing need be drawn or read.
    const isWell = document.hidden || (await succeeds(step));
    await pause(isWell ? due - performance.now() : TROUBLE_MS);
  }
}

async function succeeds(step) {
  try {
    await step();
    if (step === showState) lost.hidden = true;
    return true;
  } catch {
    if (step === showState) lost.hidden = false;
    return false;
  }
}

async function showPicture() {
  camera.src = `${cameraUrl}?${++pictures}`;
  await camera.decode();
}

async function showState() {
  const state = await (await answer(live.dataset.state)).json();
  said.textContent = state.said;
  if (String(state.number) === shown) return;
  replaceScores(await (await answer(live.dataset.scores)).text());
  shown = String(state.number);
}

function replaceScores(html) {
  const open = new Set(openDetails().map(nameOf));
  const focused = touchables().indexOf(document.activeElement);
  read.innerHTML = html; // from the page's own templates, where every text is escaped
  for (const details of read.querySelectorAll("details")) details.open = open.has(nameOf(details));
  if (focused >= 0) touchables()[focused]?.focus({ preventScroll: true });
}

async function answer(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(response.statusText);
  return response;
}
