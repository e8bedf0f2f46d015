// This phone's own cards and turn, with the strip that says on every part of the page that it is one's turn.

import { light } from "../shared/board.js";
import { button, fill, h, icon } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { announce } from "../shared/sheets.js";
import { me, now, seated, watch } from "../shared/state.js";
import { say } from "../shared/words.js";
import { whenAtRest } from "../table/motion.js";
import { play } from "../table/sounds.js";
import { showTab } from "../table/tabs.js";
import { followCards } from "./own_cards.js";
import { isPassedRound, keptSeats, openCardsOf, seatsHere, whenHandedOn } from "./pass_round.js";
import { mustAct, turnPanel } from "./turn_panel.js";

let cards = null;
let panel = null;

/** Return the own cards that are followed; null for who has none, or keeps them under a cover. */
export const myCards = () => cards;

/** Show the own cards in a place, and the strip while everybody waits for this phone. */
export function showMyTurn(place, strip) {
  fill(strip, button("my-turn", [icon("play"), h("span", {}, say("dealt.your_turn"))], openTurn, { class: "primary wide" }));
  const draw = () => {
    follow(place, strip);
    passing(place);
  };
  whenHandedOn(draw);
  watch((state, you) => [state.cards, state.players, you], draw);
}

/** Open the own turn; the keyboard goes on there, for the strip goes. */
function openTurn() {
  showTab("tickets");
  panel?.focus();
}

/** Follow the cards of the seat that this phone has, until it has another one or none. */
function follow(place, strip) {
  const seat = now().cards && seated(me().seat) && !isPassedRound() ? me().seat : null;
  if (seat === (cards?.seat ?? null)) return;
  cards?.stop();
  panel?.stop();
  cards = panel = null;
  place.hidden = !now().cards;
  fill(place);
  strip.hidden = true;
  document.getElementById("tickets").hidden = Boolean(now().cards) && isPassedRound();
  if (!seat) return;
  let called = "";
  const show = () => {
    strip.hidden = !called;
    if (called) strip.querySelector("span").textContent = called;
  };
  cards = followCards(seat, true, () => {
    panel?.update();
    const before = called;
    called = whatFor(seat);
    if (called === before) return;
    if (called) {
      announce(called);
      play("question");
    }
    whenAtRest(show);
  });
  panel = turnPanel(cards, { tapRoutes: showOnBoard });
  place.append(panel.place, h("div", { class: "passing" }));
}

/** Return what this phone is wanted for: its turn, or an answer to the host; the empty text where nobody waits for it. */
function whatFor(seat) {
  const [view, state] = [cards?.view(), now().cards];
  if (!view || !state) return "";
  if (mustAct(view, state, seat)) return say("dealt.your_turn");
  return state.asked_back?.seat === seat ? say("dealt.asked_you") : "";
}

/** Light up on the board what can be claimed and paid now; a tap on it pays. */
function showOnBoard(spots) {
  showTab("board");
  light(spots.filter((spot) => spot.startsWith("route:")).map((spot) => spot.slice("route:".length)), { isShown: true });
}

/** Offer the host's phone to who has none, and to all whose cards it keeps once it is passed round. */
function passing(place) {
  const seats = now().cards ? (isPassedRound() ? seatsHere() : keptSeats()) : [];
  const target = place.querySelector(".passing") ?? place.appendChild(h("div", { class: "passing" }));
  place.hidden = !now().cards || (!cards && !seats.length);
  fill(target, seats.length ? h("section", { class: "card" },
    h("h3", {}, say("dealt.pass_title")), h("p", { class: "soft" }, say("dealt.pass_text")),
    h("div", { class: "choices" }, seats.map((seat) => button(`pass-${seat}`, nameOf(seated(seat)), () => openCardsOf(seat))))) : null);
}
