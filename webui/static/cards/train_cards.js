// The train cards' colours: each with a letter and a pattern, never told by colour alone.

import { h } from "../shared/dom.js";
import { colourWord, number, say, sayCount } from "../shared/words.js";

const LETTERS = { black: "K", blue: "B", green: "G", orange: "O", pink: "P", red: "R", white: "W", yellow: "Y", locomotive: "L" };

const LOCOMOTIVE = "locomotive";
/** The colours of the circles on tickets. */
export const COLOURS = Object.keys(LETTERS).filter((card) => card !== LOCOMOTIVE);
export const CARDS = Object.keys(LETTERS);

export const letterOf = (card) => LETTERS[card];

export function cardWord(card) {
  return card === LOCOMOTIVE ? say("cards.locomotive") : colourWord(card);
}

/** Return a small card of a colour with how many of it, as tickets show their circles. */
function chip(card, count) {
  return h("span", { class: "chip" },
    h("span", { class: `chip-card car-${card}`, "aria-hidden": "true" }, h("b", {}, letterOf(card))),
    h("span", { "aria-hidden": "true" }, `×${count}`),
    h("span", { class: "unseen" }, say("cards.count_of", { n: count, colour: cardWord(card) })));
}

export function chips(circles) {
  return h("span", { class: "chips" }, CARDS.filter((card) => circles[card]).map((card) => chip(card, circles[card])));
}

// The cards of one stack, counted by tapping.

/** Of one card that a stack holds. */
export const MOST = 60;

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
  return h("div", { class: "counter", role: "group", "aria-label": say("cards.count_of", values) },
    h("button", { type: "button", class: `tile car-${card}`, "data-key": `more-${card}`, "aria-label": say("cards.one_more", values), on: { click: () => to(card, n + 1) } },
      h("b", { "aria-hidden": "true" }, letterOf(card)), h("span", { class: "tile-count" }, number(n))),
    h("button", { type: "button", class: "less", "data-key": `less-${card}`, disabled: n === 0, "aria-label": say("cards.one_less", values), on: { click: () => to(card, n - 1) } }, "−"));
}
