// The five cards that lie face up and the deck: large enough for a thumb where one may be taken.

import { button, h, icon } from "./dom.js";
import { number, say, sayCount } from "./words.js";
import { cardBack, cardFace, nameOfCard } from "./train_card.js";

/**
 * Return the market.
 *
 * `can` says what may be taken: `deck`, `places` and `tickets`; null shows it to who only looks on.
 * `act(move, card)` plays one; `card` is the one that is seen there, so that a second tap takes no other.
 */
export function market({ face_up: faceUp, in_deck: inDeck, discards, tickets_left: ticketsLeft }, can, act) {
  const places = faceUp.map((card, place) => h("li", {}, placed(card, place, can, act)));
  return h("section", { class: can ? "market can-take" : "market", "aria-label": say("dealt.market") },
    h("ul", { class: "plain market-cards" }, places, h("li", {}, deck(inDeck, can, act))),
    can ? button("draw-tickets", [icon("ticket"), h("span", {}, say("dealt.draw_tickets")), h("span", { class: "soft" }, sayCount("dealt.left", ticketsLeft))], () => act({ move: "draw_tickets" }), { class: "wide", disabled: !can.tickets }) : h("p", { class: "soft" }, say("dealt.beside", { tickets: number(ticketsLeft), discards: number(discards) })));
}

function placed(card, place, can, act) {
  const name = nameOfCard(card);
  if (!can) return h("span", { class: "market-card" }, cardFace(card), h("span", { class: "unseen" }, name));
  return button(`take-${place}`, cardFace(card), () => act({ move: "draw_card", place }, card), { class: "market-card", disabled: !can.places[place], "aria-label": say("dealt.take", { card: name }) });
}

function deck(inDeck, can, act) {
  const text = sayCount("dealt.cards", inDeck);
  const shown = [cardBack(), h("span", { class: "deck-count" }, number(inDeck))];
  if (!can) return h("span", { class: "market-card" }, shown, h("span", { class: "unseen" }, say("dealt.deck", { n: text })));
  return button("take-deck", shown, () => act({ move: "draw_card" }), { class: "market-card", disabled: !can.deck, "aria-label": say("dealt.draw", { n: text }) });
}
