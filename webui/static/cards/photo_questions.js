// What is in doubt about a photo of cards: asked one by one, each with its part of the photo.

import { h, s } from "../shared/dom.js";
import { openSheet } from "../shared/sheets.js";
import { list, number, say } from "../shared/words.js";
import { CARDS, cardWord, letterOf } from "./card_paint.js";
import { middleOf } from "./photo_marks.js";

const AROUND = 1.25;
const ASKED = { colour: "cards.photo_ask_colour", hidden: "cards.photo_ask_hidden", card: "cards.photo_ask_card" };

/** Return the questions; `answer(card, said)` gets null for no card. */
export function questionList(open, picture, size, answer) {
  if (!open.length) return null;
  return h("ul", { class: "plain photo-questions" }, open.map((card) => {
    const answers = [card.card, ...card.alternatives];
    return h("li", { class: "photo-question", role: "group", "aria-label": say("cards.photo_card_n", { n: number(card.number) }) },
      part(card, picture, size),
      h("div", {}, h("p", {}, h("strong", {}, number(card.number)), " ", questionOf(card, answers)),
        h("div", { class: "photo-answers" }, answers.map((said) => choice(said, `answer-${card.number}-${said ?? "none"}`, () => answer(card, said))))));
  }));
}

function questionOf(card, answers) {
  const names = answers.filter(Boolean).map(cardWord);
  return say(ASKED[card.doubt], { colours: list(names, "disjunction") });
}

/** Ask what a card is, of all there are: whatever was seen can be mended. */
export function openPhotoQuestion(card, answer) {
  openSheet(say("cards.photo_card_n", { n: number(card.number) }), (sheet) => [
    h("p", {}, say("cards.photo_which")),
    h("div", { class: "photo-answers" }, [...CARDS, null].map((said) => choice(said, `which-${said ?? "none"}`, () => (sheet.close(), answer(said)), said === card.card))),
  ]);
}

function choice(said, key, act, isChosen = false) {
  return h("button", { type: "button", class: "photo-answer", "data-key": key, "aria-pressed": String(isChosen), on: { click: act } },
    said ? h("span", { class: `chip-card car-${said}`, "aria-hidden": "true" }, h("b", {}, letterOf(said))) : null,
    said ? cardWord(said) : say("cards.photo_no_card"));
}

/** Return the part of the photo around a card. */
function part(card, picture, [width, height]) {
  const [x, y] = middleOf(card.outline);
  const reach = AROUND * Math.max(...card.outline.map(([px, py]) => Math.max(Math.abs(px - x), Math.abs(py - y))));
  return s("svg", { class: "photo-part", viewBox: `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`, "aria-hidden": "true" },
    s("image", { href: picture, x: 0, y: 0, width, height, preserveAspectRatio: "none" }),
    s("polygon", { class: "mark-line", points: card.outline.map((point) => point.join(",")).join(" ") }));
}
