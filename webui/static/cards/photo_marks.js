// The photo with an outline around every card that was seen, numbered; a tap mends one.

import { h, s } from "../shared/dom.js";
import { number, say } from "../shared/words.js";
import { cardWord, letterOf } from "./card_paint.js";

const SIGN = 0.52;

/** Return the photo; `tapped(card)` when somebody taps a card or presses Enter on it. */
export function seenPhoto({ size: [width, height] }, cards, picture, tapped) {
  return h("div", { class: "cards-photo" },
    h("img", { src: picture, alt: say("cards.photo_alt") }),
    s("svg", { viewBox: `0 0 ${width} ${height}`, class: "cards-marks" }, cards.map((card) => mark(card, tapped))));
}

function mark(card, tapped) {
  const [x, y] = middleOf(card.outline);
  const size = SIGN * shortSideOf(card.outline);
  const press = (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), tapped(card));
  return s("g", { class: `card-mark mark-${card.card ?? "none"} ${card.isOpen ? "is-open" : ""}`, role: "button", tabindex: "0", "data-key": `seen-${card.number}`, "data-card": card.card ?? "none", "aria-label": seenWord(card), on: { click: () => tapped(card), keydown: press } },
    s("polygon", { class: "mark-halo", points: card.outline.map((point) => point.join(",")).join(" ") }),
    s("polygon", { class: "mark-line", points: card.outline.map((point) => point.join(",")).join(" ") }),
    s("circle", { cx: x, cy: y, r: size * 0.9 }),
    s("text", { x, y: y - size * 0.12, "font-size": size * 0.62 }, number(card.number)),
    s("text", { x, y: y + size * 0.58, "font-size": size * 0.78 }, card.isOpen ? "?" : card.card ? letterOf(card.card) : "–"));
}

export function middleOf(outline) {
  return [0, 1].map((axis) => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length);
}

function shortSideOf(outline) {
  const sides = outline.map(([x, y], i) => Math.hypot(outline[(i + 1) % 4][0] - x, outline[(i + 1) % 4][1] - y));
  return Math.min(...sides);
}

/** Return what a card of the photo is called where it can be tapped. */
function seenWord(card) {
  const values = { n: number(card.number), colour: card.card ? cardWord(card.card) : say("cards.photo_no_card") };
  return card.isOpen ? say("cards.photo_card_open", values) : say("cards.photo_card", values);
}
