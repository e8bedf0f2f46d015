// The train cards' colours: each with a letter and a pattern, never told by colour alone.

import { h } from "../shared/dom.js";
import { colourWord, say } from "../shared/words.js";

const LETTERS = { black: "K", blue: "B", green: "G", orange: "O", pink: "P", red: "R", white: "W", yellow: "Y", locomotive: "L" };

export const LOCOMOTIVE = "locomotive";
/** The colours of the circles on tickets. */
export const COLOURS = Object.keys(LETTERS).filter((card) => card !== LOCOMOTIVE);
export const CARDS = Object.keys(LETTERS);

export const letterOf = (card) => LETTERS[card];

export function cardWord(card) {
  return card === LOCOMOTIVE ? say("cards.locomotive") : colourWord(card);
}

/** Return a small card of a colour with how many of it, as tickets show their circles. */
export function chip(card, count) {
  return h("span", { class: "chip" },
    h("span", { class: `chip-card car-${card}`, "aria-hidden": "true" }, h("b", {}, letterOf(card))),
    h("span", { "aria-hidden": "true" }, `×${count}`),
    h("span", { class: "unseen" }, say("cards.count_of", { n: count, colour: cardWord(card) })));
}

export function chips(circles) {
  return h("span", { class: "chips" }, CARDS.filter((card) => circles[card]).map((card) => chip(card, circles[card])));
}
