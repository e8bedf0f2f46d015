// The cards of one stack, counted by tapping.

import { button, h } from "../shared/dom.js";
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
    button(`more-${card}`, [
      h("b", { "aria-hidden": "true" }, letterOf(card)), h("span", { class: "tile-count" }, number(n)),
    ], () => to(card, n + 1), { class: `tile car-${card}`, "aria-label": say("cards.one_more", values) }),
    button(`less-${card}`, "−", () => to(card, n - 1), { class: "less", disabled: n === 0, "aria-label": say("cards.one_less", values) }));
}
