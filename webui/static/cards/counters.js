// The cards of one stack, counted by tapping.

import { h } from "../shared/dom.js";
import { CARDS, cardWord, letterOf } from "../shared/train_cards.js";
import { number, say, sayCount } from "../shared/words.js";

/** Of one card that a stack holds. */
const MOST = 60;

/** Return nine counters; `set(stack)` when one was tapped. */
export function counters(stack, set) {
  const all = Object.values(stack).reduce((sum, n) => sum + n, 0);
  const to = (card, n) => set({ ...stack, [card]: Math.min(MOST, Math.max(0, n)) });
  return [
    h("p", { class: "soft", "data-part": "sum" }, sayCount("cards.stack_has", all)),
    h("div", { class: "counters" }, CARDS.map((card) => counter(card, stack[card] ?? 0, to))),
  ];
}

function counter(card, n, to) {
  const values = { n: number(n), colour: cardWord(card) };
  return h("div", { class: "counter", role: "group", "aria-label": say("colour.count", values) },
    h("button", { type: "button", class: `tile car-${card}`, "data-key": `more-${card}`, "aria-label": say("cards.one_more", values), on: { click: () => to(card, n + 1) } },
      h("b", { "aria-hidden": "true" }, letterOf(card)), h("span", { class: "tile-count" }, number(n))),
    h("button", { type: "button", class: "less", "data-key": `less-${card}`, disabled: n === 0, "aria-label": say("cards.one_less", values), on: { click: () => to(card, n - 1) } }, "−"));
}
