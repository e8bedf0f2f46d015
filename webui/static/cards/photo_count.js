// Counting a stack by a photo: what was seen, what is in doubt, and the counts to take over.

import { postPhoto } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { announce, openSheet } from "../shared/sheets.js";
import { say, sayCount } from "../shared/words.js";
import { CARDS, chips } from "./card_paint.js";
import { faultText } from "./faults.js";
import { seenPhoto } from "./photo_marks.js";
import { openPhotoQuestion, questionList } from "./photo_questions.js";

const BUSY = new Set([429, 503]);

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
      fault.textContent = BUSY.has(error.status) ? say("cards.photo_busy") : faultText(error);
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
