// Counting a stack by a photo: what was seen, what is in doubt, and the counts to take over.

import { postPhoto } from "../shared/api.js";
import { fill, h, s } from "../shared/dom.js";
import { announce, openSheet } from "../shared/sheets.js";
import { CARDS, cardWord, chips, letterOf } from "../shared/train_cards.js";
import { list, number, say, sayCount } from "../shared/words.js";
import { faultText } from "./faults.js";

/** Open the counting; `take(counts, isMore)` gets what was counted, in place of or beside the stack. */
export function openPhotoCount(name, hasCards, take) {
  const input = h("input", { type: "file", id: "cards-photo", accept: "image/*" });
  const fault = h("p", { class: "trouble-text", role: "alert" });
  const result = h("div", { class: "stack", "data-part": "photo-result" });
  let picture = null;
  const forget = () => picture && URL.revokeObjectURL(picture);
  const sheet = openSheet(say("cards.photo_title", { name }), () => [
    h("p", { class: "soft" }, say("cards.photo_how")),
    h("label", { for: "cards-photo" }, say("cards.photo_choose")), input, fault, result,
  ], { name: "tall", onClose: forget });
  input.addEventListener("change", async () => {
    const file = input.files[0];
    if (!file) return;
    forget();
    picture = URL.createObjectURL(file);
    fault.textContent = "";
    fill(result, h("p", { role: "status" }, say("cards.photo_counting")));
    input.disabled = true;
    try {
      const seen = await postPhoto("/card-photos", file);
      show(result, seen, picture, { hasCards, take: (counts, isMore) => (sheet.close(), take(counts, isMore)) });
    } catch (error) {
      if (error.status === undefined) throw error;
      fill(result);
      fault.textContent = faultText(error);
    } finally {
      input.disabled = false;
    }
  });
}

/** Show what was seen; every answer changes it. */
function show(place, seen, picture, { hasCards, take }) {
  const cards = seen.cards.map((card, i) => ({ ...card, number: i + 1, isOpen: card.doubt !== null }));
  const answer = (card, said) => {
    Object.assign(card, { card: said, isOpen: false });
    draw();
  };
  const draw = () => {
    const counts = countsOf(cards);
    const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
    const open = cards.filter(({ isOpen }) => isOpen);
    fill(place,
      seenPhoto(seen, cards, picture, (card) => openPhotoQuestion(card, (said) => answer(card, said))),
      h("p", { class: "soft" }, say("cards.photo_mend")),
      h("p", { "data-part": "photo-sum", role: "status" }, sayCount("cards.photo_sum", all)),
      chips(counts),
      questionList(open, picture, seen.size, answer),
      open.length ? h("p", { class: "soft" }, sayCount("cards.photo_open", open.length)) : null,
      h("button", { type: "button", class: "primary wide", "data-key": "photo-take", on: { click: () => take(counts, false) } }, say("cards.photo_take")),
      hasCards ? h("button", { type: "button", class: "wide", "data-key": "photo-more", on: { click: () => take(counts, true) } }, say("cards.photo_more")) : null);
  };
  draw();
  announce(sayCount("cards.photo_sum", cards.length));
}

function countsOf(cards) {
  const counts = {};
  for (const name of CARDS) {
    const n = cards.filter(({ card }) => card === name).length;
    if (n) counts[name] = n;
  }
  return counts;
}

// The photo with an outline around every card that was seen, numbered; a tap mends one.

const SIGN = 0.52;

/** Return the photo; `tapped(card)` when somebody taps a card or presses Enter on it. */
function seenPhoto({ size: [width, height] }, cards, picture, tapped) {
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

function middleOf(outline) {
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

// What is in doubt about a photo of cards: asked one by one, each with its part of the photo.

const AROUND = 1.25;
const ASKED = { colour: "cards.photo_ask_colour", hidden: "cards.photo_ask_hidden", card: "cards.photo_ask_card" };

/** Return the questions; `answer(card, said)` gets null for no card. */
function questionList(open, picture, size, answer) {
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
function openPhotoQuestion(card, answer) {
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
