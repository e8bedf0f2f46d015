// One phone or tablet that is passed round: between turns a cover, under which nothing of anybody's cards is on the page.

import { button, car, fill, h, icon } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { hide, keepVoices } from "../shared/sheets.js";
import { me, now, seated, watch } from "../shared/state.js";
import { say } from "../shared/words.js";
import { whenAtRest } from "../table/motion.js";
import { openHandOf } from "../table/other_hand.js";
import { openPayable } from "./map_claims.js";
import { followCards } from "./own_cards.js";
import { mustAct, turnPanel } from "./turn_panel.js";

let isOpen = false;
let begun = () => {};
let declined = ""; // the turn for which the cover was closed

const KEY = () => `railspotter-passed-${now().game.id}`;

/** Tell whether this phone is passed round: from when its host first handed it on in this game. */
export const isPassedRound = () => me().is_host && keptSeats().length > 0 && localStorage.getItem(KEY()) === "yes";

/** Be told when this phone is handed on for the first time: then no cards may stay on it uncovered. */
export function whenHandedOn(told) {
  begun = told;
}

/** Return the seats of people without a phone, whose cards the host's phone keeps. */
export function keptSeats() {
  if (!me().is_host) return [];
  return now().players.filter((one) => !one.is_paired && !one.computer && !one.has_left && one.seat !== me().seat).map((one) => one.seat);
}

/** Return all seats whose cards this phone has, in turn order. */
export function seatsHere() {
  const kept = keptSeats();
  return now().players.map((one) => one.seat).filter((seat) => kept.includes(seat) || seat === me().seat);
}

/** Offer the phone to whoever is to play, once it is passed round. */
export function passRound() {
  watch((state, you) => [state.cards, state.players, you], () => whenAtRest(offer));
  document.addEventListener("visibilitychange", () => document.hidden && cover());
}

function offer() {
  const seat = now().cards && isPassedRound() ? nextSeat() : null;
  if (!seat || isOpen || declined === turnKey() || document.querySelector("dialog[open]")) return;
  openCardsOf(seat);
}

/** Return whom everybody waits for, where that one plays with this phone. */
function nextSeat() {
  const { phase, turn, choosing } = now().cards;
  const waiting = phase === "first_tickets" ? choosing : phase === "play" && turn ? [turn] : [];
  return seatsHere().find((seat) => waiting.includes(seat)) ?? null;
}

const turnKey = () => [now().cards?.phase, now().cards?.turn, now().cards?.choosing].join();

let cover = () => {};

/** Ask for the one whose cards they are, then show them until they are hidden. */
export function openCardsOf(seat) {
  isOpen = true;
  localStorage.setItem(KEY(), "yes");
  begun();
  let cards = null;
  let panel = null;
  let wasTurn = false;
  const main = h("div", {});
  const dialog = h("dialog", { class: "sheet pass", "aria-labelledby": "pass-title" }, main);

  /** Forget all that is shown, sheets over it too; who is next is asked for, or the table is shown again. */
  const forget = () => {
    for (const over of document.querySelectorAll("dialog[open]")) if (over !== dialog && dialog.isConnected) over.close();
    cards?.stop();
    panel?.stop();
    cards = panel = null;
    fill(main);
    hide(); // why a move was refused may tell of cards
  };

  const showCover = (next) => {
    forget();
    seat = next;
    wasTurn = false;
    const player = seated(seat);
    const name = nameOf(player);
    fill(main, h("div", { class: "pass-cover" },
      car(paintOf(player.colour)),
      h("h2", { id: "pass-title", tabindex: "-1" }, say("dealt.pass_to", { name })),
      h("p", {}, say("dealt.pass_touch", { name })),
      button("pass-open", [icon("eye"), h("span", {}, say("dealt.pass_open", { name }))], show, { class: "primary wide" }),
      button("pass-later", say("dealt.pass_later"), () => dialog.close(), { class: "quiet wide" })));
    dialog.querySelector("h2").focus({ preventScroll: true });
  };

  const show = () => {
    const done = button("pass-hide", [icon("lock"), h("span", {}, say("dealt.pass_hide"))], passOn, { class: "primary wide" });
    const isOwn = seat === me().seat;
    cards = followCards(seat, isOwn, () => {
      panel?.update();
      if (!cards?.view()) return;
      const isTurn = Boolean(now().cards) && mustAct(cards.view(), now().cards, seat);
      if (wasTurn && !isTurn) done.classList.add("is-done");
      wasTurn = isTurn;
    });
    panel = turnPanel(cards, { tapRoutes: () => openPayable(cards), isShared: true });
    fill(main, h("h2", { id: "pass-title", class: "unseen", tabindex: "-1" }, say("dealt.cards_of", { name: nameOf(seated(seat)) })),
      h("div", { class: "pass-open" }, panel.place,
        button("pass-tickets", [icon("ticket"), say("hand.title", { name: nameOf(seated(seat)) })], () => openHandOf(seat, isOwn ? "/hand" : undefined), { class: "wide" })),
      h("div", { class: "pass-foot" }, done));
  };

  const passOn = () => {
    const next = now().cards ? nextSeat() : null;
    if (next && next !== seat) showCover(next);
    else dialog.close();
  };

  dialog.addEventListener("close", () => {
    forget();
    keepVoices(dialog);
    dialog.remove();
    isOpen = false;
    declined = turnKey();
    cover = () => {};
  });
  cover = () => cards && showCover(seat);
  document.body.append(dialog);
  showCover(seat);
  dialog.showModal();
  keepVoices();
}
