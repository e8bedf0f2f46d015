// What several steps are made of.

import { fill, h } from "../shared/dom.js";
import { say } from "../shared/words.js";
import { faultsAt } from "./in_short.js";

/** Return the heading of a step, which gets the keyboard, and the sentence that says what to do. */
export function heading(title, text) {
  return [h("h1", { tabindex: "-1" }, say(title)), text ? h("p", { class: "step-text" }, say(text)) : null];
}

/** Return a large button of which one is chosen. */
export function option(key, isChosen, act, ...children) {
  return h("button", { type: "button", class: "option", "data-key": key, "aria-pressed": String(isChosen), on: { click: act } }, children);
}

/** Fill a place anew only where what it shows is another: what is under a finger stays. */
export function fillAnew(place, about, make) {
  const now = JSON.stringify(about);
  if (place.dataset.has === now) return;
  place.dataset.has = now;
  fill(place, make());
}

/** Return a place for what is wrong at a step; `show(view)` fills it. */
export function faultsPlace(step) {
  const place = h("div", { role: "status" });
  return {
    place,
    show(view) {
      const texts = faultsAt(view, step);
      fillAnew(place, texts, () => texts.map((text) => h("p", { class: "problem" }, sentence(text))));
    },
  };
}

/** Return a text as a sentence: the program's own begin small and have no full stop. */
export function sentence(text) {
  if (!text) return "";
  const whole = text.slice(0, 1).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}
