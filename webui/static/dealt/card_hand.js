// The train cards in a hand, by colour: they rise over the button while somebody holds it, and are nowhere else.

import { fill, h, holdButton } from "../shared/dom.js";
import { CARDS } from "../shared/train_cards.js";
import { number, say, sayCount } from "../shared/words.js";
import { cardFace, nameOfCard } from "../shared/train_card.js";

/** Return the hand of cards that are followed: its `place`, and `update()` for when they are known anew. */
export function cardHand(cards) {
  let isHeld = false;
  let drawn = "";
  const grid = h("div", { class: "hand-cards", hidden: true });
  const count = h("span", {});
  const show = (next) => {
    if (isHeld === next) return;
    isHeld = next;
    draw();
  };
  const hold = holdButton("hold-cards", show, count, h("span", { class: "soft" }, say("dealt.hold")));
  const place = h("section", { class: "hand", "aria-label": say("dealt.hand") }, grid, hold);

  function draw() {
    const view = cards.view();
    const hand = view?.hand ?? {};
    const all = Object.values(hand).reduce((sum, n) => sum + n, 0);
    const next = JSON.stringify([isHeld, isHeld ? hand : all, view?.is_hidden]);
    if (next === drawn) return;
    drawn = next;
    // The button stays as it is under the finger.
    count.textContent = sayCount("dealt.cards", all);
    place.hidden = !view || view.is_hidden;
    grid.hidden = !isHeld;
    fill(grid, isHeld ? CARDS.map((card) => counted(card, hand[card] ?? 0)) : null);
  }
  draw();
  return { place, update: draw };
}

function counted(card, n) {
  return h("span", { class: n ? "hand-card" : "hand-card is-none" }, cardFace(card), h("span", { class: "hand-count", "aria-hidden": "true" }, number(n)), h("span", { class: "unseen" }, say("colour.count", { n: number(n), colour: nameOfCard(card) })));
}
