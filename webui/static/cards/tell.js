// What was done, with Undo in reach of the thumb; and what went wrong.

import { announce } from "../table/announce.js";
import { fill, h } from "../table/dom.js";
import { say } from "../table/words.js";
import { faultText } from "./faults.js";

const SHOWN_MS = 9000;
const place = () => document.getElementById("toast");
let timer = null;

/** Say what was done; `undo()` takes it back. */
export function tell(text, { undo = null, isTrouble = false } = {}) {
  const back = () => (hide(), undo());
  fill(place(), h("p", {}, text),
    undo ? h("button", { type: "button", class: "toast-undo", on: { click: back } }, say("cards.undo")) : null,
    h("button", { type: "button", class: "toast-close", "aria-label": say("toast.close"), on: { click: hide } }, "×"));
  place().classList.toggle("trouble", isTrouble);
  place().hidden = false;
  announce(text);
  wait();
}

/** Do something on the server and say why not where it refuses; gives back its answer, null for no. */
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    if (error.status === undefined) throw error;
    tell(faultText(error), { isTrouble: true });
    return null;
  }
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => (place().matches(":hover, :focus-within") ? wait() : hide()), SHOWN_MS);
}

function hide() {
  clearTimeout(timer);
  place().hidden = true;
}
