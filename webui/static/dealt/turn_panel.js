// One player's cards and turn, from top to bottom as they are needed: what is to be done, the market, the own hand.

import { button, fill, h, icon } from "../shared/dom.js";
import { nameOf, spotName } from "../shared/names.js";
import { announce, confirmSheet } from "../shared/sheets.js";
import { now, seated } from "../shared/state.js";
import { list, say, sentence } from "../shared/words.js";
import { whenAtRest } from "../table/motion.js";
import { cardHand } from "./card_hand.js";
import { haveBack, openPayable } from "./map_claims.js";
import { market } from "../shared/market.js";
import { laidCards } from "./payment.js";
import { choiceCard } from "./ticket_choice.js";
import { cardRow, nameOfCard } from "../shared/train_card.js";
import { tunnelCard } from "./tunnel.js";
import { beginText, doingText, isBeginning, lastText, turnText } from "./turn_words.js";

const FRESH_MS = 8000;

/** Return the panel of cards that are followed: its `place`, and `update()` for when something is known anew. */
export function turnPanel(cards, { tapRoutes = null, isShared = false } = {}) {
  const head = h("div", { class: "turn-head", role: "status", tabindex: "-1" });
  const tasks = h("div", { class: "tasks" });
  const table = h("div", {});
  const fresh = h("div", {});
  const hand = cardHand(cards);
  const place = h("div", { class: "turn-panel" }, head, tasks, fresh, table, hand.place);
  let isMoving = false;
  let hiding = null;
  let seen = "";
  let drawn = "";

  /** One move at a time: a finger that taps twice takes no second card. */
  async function act(move, card) {
    if (isMoving) return;
    if (move.move === "draw_tickets") return confirmSheet(say("dealt.draw_tickets"), say("dealt.draw_tickets_text"), say("dealt.draw_tickets_yes"), () => play(move));
    await play(move, card);
  }

  async function play(move, card) {
    isMoving = true;
    try {
      await cards.move(move, "", card);
    } finally {
      isMoving = false;
    }
  }

  function update() {
    const view = cards.view();
    const state = now().cards;
    if (!view || !state || !seated(cards.seat)) {
      drawn = ""; // what comes back may be what was there
      return fill(head);
    }
    hand.update();
    showFresh();
    // Made anew only when it says something else, and when no finger is about to tap.
    const says = JSON.stringify([view.is_turn, view.is_hidden, view.offered, view.tunnel, view.laid, view.can_draw, view.can_draw_tickets, view.can_pass, view.drawn, state, now().players, now().game.paused]);
    if (says === drawn) return;
    drawn = says;
    whenAtRest(draw);
  }

  function draw() {
    const view = cards.view();
    const state = now().cards;
    if (!view || !state) return;
    const [title, text] = headline(view, state, cards.seat, isShared);
    head.classList.toggle("is-turn", mustAct(view, state, cards.seat));
    fill(head, h("h2", {}, title), text ? h("p", {}, text) : null);
    fill(tasks, tasksOf(view, state));
    const can = state.phase === "play" && view.is_turn && !now().game.paused && !view.offered?.length && !view.tunnel ? { ...view.can_draw, tickets: view.can_draw_tickets } : null;
    fill(table, state.phase === "over" ? null : market(state, can, act), can ? otherWays(view) : null);
  }

  /** Tell whether anybody is left who may say whose phone this is. */
  function canBeOpened(state) {
    const able = state.vouchers[cards.seat];
    return !able || able.is_host || able.seats.length > 0;
  }

  function tasksOf(view, state) {
    return [
      view.is_hidden ? h("section", { class: "card" }, h("p", {}, icon("lock"), " ", h("span", {}, say(canBeOpened(state) ? "dealt.hidden" : "dealt.hidden_alone", { name: nameOf(seated(cards.seat)) })))) : null,
      now().game.paused ? null : [view.tunnel ? tunnelCard(cards) : null, view.offered?.length ? choiceCard(cards) : null, laidCards(cards)],
      askedBackCard(state.asked_back),
    ];
  }

  /** The host wants a claim to be taken back: only who paid for it can say yes, and says no by playing on. */
  function askedBackCard(asked) {
    if (!cards.isOwn || asked?.seat !== cards.seat) return null;
    return h("section", { class: "card" }, h("p", {}, say("dealt.asked_back", { spot: spotName(asked.spot) })),
      button("asked-back", say("dealt.have_back"), () => haveBack(asked.spot), { class: "wide" }));
  }

  function otherWays(view) {
    return [
      tapRoutes && view.payable?.length && !view.drawn?.length ? button("tap-routes", [icon("map"), say(now().table.has_camera ? "dealt.tap_routes" : "dealt.tap_routes_camera_none")], () => tapRoutes(view.payable), { class: "wide" }) : null,
      !isShared && view.payable?.length && !view.drawn?.length ? button("list-routes", say("dealt.payable"), () => openPayable(cards), { class: "wide", "aria-haspopup": "dialog" }) : null,
      view.can_pass ? button("pass-turn", say("dealt.pass"), () => act({ move: "pass_turn" }), { class: "wide" }) : null,
    ];
  }

  /** What was drawn is shown to who drew it, and turned over after a while: a phone may lie on the table. */
  function showFresh() {
    const what = cards.fresh();
    const key = what.join();
    if (key === seen) return;
    seen = key;
    clearTimeout(hiding);
    fill(fresh, what.length ? h("section", { class: "card fresh" }, h("h3", {}, say("dealt.you_drew")), cardRow(what, say("dealt.you_drew"))) : null);
    // A screen reader says it on this phone alone; the voice calls nobody's cards.
    if (what.length) announce(sentence(`${say("dealt.you_drew")} ${list(what.map(nameOfCard))}`));
    if (what.length) hiding = setTimeout(() => whenAtRest(() => cards.putAway()), FRESH_MS);
  }

  return {
    place,
    update,
    focus: () => head.focus(),
    stop: () => {
      clearTimeout(hiding);
      fill(place);
    },
  };
}

/** Tell whether everybody waits for this seat. */
export function mustAct(view, { phase, choosing }, seat) {
  return phase === "first_tickets" ? (choosing ?? []).includes(seat) : phase === "play" && view.is_turn;
}

function headline(view, state, seat, isShared) {
  if (!mustAct(view, state, seat)) return [turnText(state), doingText(state) || lastText(state)];
  const title = isShared ? say("dealt.turn_of_you", { name: nameOf(seated(seat)) }) : say("dealt.your_turn");
  if (now().game.paused) return [title, say("voice.paused")];
  if (isBeginning(state)) return [title, say("dealt.step_first")];
  if (view.tunnel) return [title, say("dealt.step_tunnel")];
  if (view.offered?.length) return [title, say("dealt.step_choose")];
  if (view.drawn?.length) return [title, say("dealt.step_second")];
  return [title, beginText()];
}

