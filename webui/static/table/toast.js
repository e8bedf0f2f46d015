// After every change a line that says what was done, with Undo in reach of the thumb.

import { announce } from "./announce.js";
import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { say } from "./words.js";

const SHOWN_MS = 9000;
const place = () => document.getElementById("toast");
let timer = null;

/** Say what was done; `event` is the event that Undo takes back. */
export function toast(text, { event = null, isTrouble = false } = {}) {
  const undo = event === null ? null : h("button", { type: "button", class: "toast-undo", on: { click: () => takeBack(event) } }, say("undo.button"));
  const close = h("button", { type: "button", class: "toast-close", "aria-label": say("toast.close"), on: { click: hide } }, "×");
  fill(place(), h("p", {}, text), undo, close);
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

/** Do something on the server and say what was done, or why not; gives back whether it was done. */
export async function attempt(act, done) {
  try {
    const answer = await act();
    if (done) toast(done, { event: eventOf(answer) });
    return answer ?? {};
  } catch (error) {
    if (!error.code && !error.status) throw error;
    toast(error.message, { isTrouble: true });
    return null;
  }
}

function eventOf(answer) {
  return answer?.event ?? answer?.seq ?? null;
}

export async function takeBack(event) {
  const answer = await attempt(() => post("/undo", event === null ? {} : { event }));
  if (answer) toast(say("undo.done"));
}

export async function putBack(event) {
  const answer = await attempt(() => post("/redo", event === null ? {} : { event }));
  if (answer) toast(say("redo.done"));
}
