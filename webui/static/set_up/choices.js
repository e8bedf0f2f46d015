// What is chosen so far, as the server said it last: asked for anew each second, and told when it changed.

import { CallError, address, get, post, put } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { attempt } from "../shared/sheets.js";
import { say } from "../shared/words.js";

const LOOK_MS = 1000;
const PATIENCE_MS = 8000;
const watchers = new Set();
let view = null;
let tag = null;
let timer = null;
let isOver = false;

const ORDER = ["edition", "players", "source", "calibration"];
/** Return the steps of this set-up: where no camera sees the board, it is not looked for. */
export const steps = () => (view?.source?.has_camera === false ? ORDER.slice(0, -1) : ORDER);
export const READY = "ready";
export const theSetUp = () => view;
/** Tell whether a step is done: the server names the first that is not. */
export const isDone = (step) => view.step === READY || ORDER.indexOf(step) < ORDER.indexOf(view.step);

/** Call `show(view)` whenever something changed, and with the error where the server does not answer. */
export function onSetUp(show) {
  watchers.add(show);
}

/** Ask once; whoever opened the page without the host's link gets the error. */
export async function look() {
  let response;
  try {
    response = await fetch(address("/set-up"), { headers: tag ? { "If-None-Match": tag } : {}, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    throw new CallError(0, "lost", say("error.lost"));
  }
  if (response.status === 304) return;
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new CallError(response.status, answer.error?.code ?? "", answer.error?.message ?? say("error.other"), answer);
  tag = response.headers.get("ETag");
  take(answer);
}

/** Ask each second, until the game begins; a page that nobody looks at rests. */
export function goOnLooking() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (!document.hidden) await lookAgain();
    if (!isOver) goOnLooking();
  }, LOOK_MS);
}

export function stopLooking() {
  isOver = true;
  clearTimeout(timer);
}

/** Ask once more, and tell everyone how it went. */
export async function lookAgain() {
  try {
    await look();
    tell(null);
  } catch (error) {
    if (error.status === undefined) throw error;
    if (!isOver) tell(error);
  }
}

/** Choose something; gives back the new view, null where the server refuses, and then says why. */
export async function choose(what, body) {
  const answer = await trying(() => put(`/set-up/${what}`, body));
  if (answer) take(answer);
  return answer;
}

/** Do something on the server, and say in its own words why not where it refuses. */
export const trying = (act) => attempt(act, "", null, inWords);

/** Return the server's sentence in the reader's language, else the page's own. */
export function inWords(error) {
  const text = [400, 404, 409, 422].includes(error.status) ? error.body?.error?.message : null;
  return text ? text.replace(/\.$/, "") : error.message;
}

/** Answers may overtake each other: an older one is none. */
function take(answer) {
  if (view && answer.number < view.number) return;
  view = answer;
  tell(null);
}

function tell(error) {
  for (const show of watchers) show(view, error);
}

// The game begins, and this page waits for it.

const ASK_MS = 400;
const LONG_MS = 60_000;
let isBeginning = false;

/** Begin a new game (`what` is "begin"), or go on with one ("resume"); tell whether the server took it. */
export async function begin(what, body = {}) {
  if (isBeginning) return false;
  isBeginning = true;
  const answer = await trying(() => post(`/set-up/${what}`, body));
  isBeginning = false;
  if (answer === null) return false;
  take(answer);
  if (theSetUp().begun) waitForGame();
  return true;
}

/** Wait until the game answers, then go to its page; also on a phone where nobody tapped. */
export async function waitForGame() {
  if (isBeginning) return;
  isBeginning = true;
  stopLooking();
  showWaiting("set_up.beginning_text");
  const since = performance.now();
  let isLong = false;
  while (!["game", "home"].includes(await phase())) {
    if (!isLong && performance.now() - since > LONG_MS) showWaiting("set_up.beginning_long");
    isLong ||= performance.now() - since > LONG_MS;
    await new Promise((go) => setTimeout(go, ASK_MS));
  }
  location.replace("/");
}

function showWaiting(text) {
  document.body.dataset.at = "beginning";
  for (const id of ["foot", "own", "steps", "trouble"]) document.getElementById(id).hidden = true;
  fill(document.getElementById("view"), h("h1", { tabindex: "-1" }, say("set_up.beginning")), h("p", { role: "status" }, say(text)), h("progress", { "aria-label": say("set_up.beginning") }));
  document.querySelector("h1").focus({ preventScroll: true });
}

/** Open the page anew once something else goes on at the table, or `isAnswered`, it answers; a page that nobody looks at rests. */
export async function openAnew(isAnswered) {
  stopLooking();
  for (;;) {
    await new Promise((go) => setTimeout(go, LOOK_MS));
    const at = document.hidden ? null : await phase();
    if (at && (isAnswered || at !== "set_up")) return location.reload();
  }
}

/** Return what goes on at the table, null while it does not answer. */
const phase = () => get("/table").then((table) => table.phase, () => null);
