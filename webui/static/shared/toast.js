// After every change a line that says what was done, with Undo in reach of the thumb.

import { announce } from "./announce.js";
import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { now, reached } from "./state.js";
import { say } from "./words.js";

const SHOWN_MS = 9000;
const place = () => document.getElementById("toast");
let timer = null;

/** Say what was done; `undo()` takes it back. */
export function toast(text, { undo = null, isTrouble = false } = {}) {
  const back = () => (hide(), undo());
  fill(place(), h("p", {}, text),
    undo ? h("button", { type: "button", class: "toast-undo", on: { click: back } }, say("undo.button")) : null,
    h("button", { type: "button", class: "toast-close", "aria-label": say("toast.close"), on: { click: hide } }, "×"));
  place().classList.toggle("trouble", isTrouble);
  place().hidden = false;
  announce(text);
  wait();
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => (place().matches(":hover, :focus-within") ? wait() : hide()), SHOWN_MS);
}

function hide() {
  clearTimeout(timer);
  place().hidden = true;
}

/**
 * Do something on the server and say what was done, or why not; gives back its answer, null for no.
 *
 * `undo` is a function that takes it back, or the end of the kind of event that it leaves in the log;
 * `why` puts a refusal in words.
 */
export async function attempt(act, done = "", undo = null, why = (error) => error.message) {
  const before = now()?.log.at(-1)?.seq ?? 0;
  try {
    const answer = await act();
    if (done) toast(done, { undo: typeof undo === "string" ? await undoOf(undo, before, answer.number) : undo });
    return answer;
  } catch (error) {
    if (error.status === undefined) throw error;
    toast(why(error), { isTrouble: true });
    return null;
  }
}

/** Return what takes back the event that came since and is of that kind. */
async function undoOf(kind, before, number) {
  await reached(number);
  const event = now().log.findLast((one) => one.seq > before && one.kind.endsWith(kind));
  return event ? () => takeBack(event.seq) : null;
}

export async function takeBack(event) {
  await attempt(() => post("/undo", { event }), say("undo.done"), () => putBack(event));
}

export async function putBack(event) {
  await attempt(() => post("/redo", { event }), say("redo.done"), () => takeBack(event));
}
