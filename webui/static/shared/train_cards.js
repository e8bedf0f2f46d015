// The train cards: each has a letter, a pattern and a name, and is never told by its colour alone.

import { h } from "./dom.js";
import { colourWord, say } from "./words.js";

const LETTERS = { black: "K", blue: "B", green: "G", orange: "O", pink: "P", red: "R", white: "W", yellow: "Y", locomotive: "L" };

export const LOCOMOTIVE = "locomotive";
/** All cards, in the order in which hands are shown. */
export const CARDS = Object.keys(LETTERS);
/** The colours of the circles on tickets. */
export const COLOURS = CARDS.filter((card) => card !== LOCOMOTIVE);

export const letterOf = (card) => LETTERS[card];

export function cardWord(card) {
  return card === LOCOMOTIVE ? say("colour.locomotive") : colourWord(card);
}

/** Return a small card of a colour with how many of it, as tickets show their circles, and payments. */
function chip(card, count) {
  return h("span", { class: "chip" },
    h("span", { class: `chip-card car-${card}`, "aria-hidden": "true" }, h("b", {}, letterOf(card))),
    h("span", { "aria-hidden": "true" }, `×${count}`),
    h("span", { class: "unseen" }, say("colour.count", { n: count, colour: cardWord(card) })));
}

export function chips(circles) {
  return h("span", { class: "chips" }, CARDS.filter((card) => circles[card]).map((card) => chip(card, circles[card])));
}
