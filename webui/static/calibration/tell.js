// Doing something on the server, and saying why it was not done.

import { attempt } from "../shared/attempts.js";
import { h } from "../shared/dom.js";
import { said } from "../shared/said.js";

/** Do something, hand the server's answer on, and say why not where it refuses. */
export async function act(ask, told = () => {}, done = "") {
  const view = await attempt(ask, done, null, inWords);
  if (view) told(view);
  return view;
}

/** Return why the server refused: in its own words where it has some about the board. */
function inWords(error) {
  const text = [400, 404, 409].includes(error.status) ? error.body?.error?.message : null;
  return text ? sentence(said(text.replace(/\.$/, ""))) : error.message;
}

/** Return a text as a sentence: the program's own begin small and have no full stop. */
export function sentence(text) {
  if (!text) return "";
  const whole = text.slice(0, 1).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

export function button(key, text, act, attributes = {}) {
  return h("button", { type: "button", "data-key": key, on: { click: act }, ...attributes }, text);
}
