// One train card, drawn by us: a car of its own shape on rails, its letter on a plate, and its name below.

import { h, s } from "./dom.js";
import { cardWord, LOCOMOTIVE, letterOf } from "./train_cards.js";
import { now } from "./state.js";
import { say } from "./words.js";

/** The bodies of the cars, each another outline, 48 wide on rails at 24. */
const BODIES = {
  black: "M3 9h42l-6 11H9z",
  blue: "M4 20V9q0-4 4-4h32q4 0 4 4v11z",
  green: "M3 20V10h12V4h14v6h16v10z",
  orange: "M4 20V5h40v15zM20 5v15M28 5v15",
  pink: "M3 20V7h18v6h6V7h18v13z",
  red: "M3 20V14h42v6zM9 14V5h7v9M20 14V5h7v9M31 14V5h7v9",
  white: "M10 4h28a8 8 0 0 1 0 16H10a8 8 0 0 1 0-16z",
  yellow: "M3 20V9l21-6 21 6v11z",
  locomotive: "M3 20V4h13v5h18V4h6v5q5 0 5 6v5z",
};

/** The Card Game has no table that could have taxis. */
export const isTaxi = () => now()?.game.train_word === "taxi";

/** Return what a card is called; the one that stands for all colours is a taxi in New York. */
export function nameOfCard(card) {
  return card === LOCOMOTIVE && isTaxi() ? say("dealt.taxi") : cardWord(card);
}

/** Return what a card is called where there is little room. */
function shortName(card) {
  if (card !== LOCOMOTIVE) return nameOfCard(card);
  return isTaxi() ? say("dealt.taxi_short") : say("dealt.locomotive_short");
}

/** Return the picture of a card; what it is called is said by whoever shows it. */
export function cardFace(card) {
  const body = s("svg", { class: "card-car", viewBox: "0 0 48 26", "aria-hidden": "true" },
    s("path", { class: "card-body", d: BODIES[card] ?? BODIES.orange }),
    s("path", { class: "card-rails", d: "M1 24h46" }),
    s("circle", { cx: 13, cy: 21.5, r: 2.5 }), s("circle", { cx: 35, cy: 21.5, r: 2.5 }));
  return h("span", { class: `train-card car-${card}`, "aria-hidden": "true" },
    h("span", { class: "card-print" }, h("b", {}, letterOf(card)), body),
    h("span", { class: "card-name" }, shortName(card)));
}

/** Return the back of a card, the same for all. */
export function cardBack() {
  return h("span", { class: "train-card card-back", "aria-hidden": "true" });
}

/** Return cards that lie side by side, such as those of a tunnel, each with its name. */
export function cardRow(cards, label) {
  return h("ul", { class: "plain card-row", "aria-label": label }, cards.map((card) => h("li", {}, cardFace(card), h("span", { class: "unseen" }, nameOfCard(card)))));
}
