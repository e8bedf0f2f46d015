// A game that is dealt to phones: whose turn it is, the open cards, everybody's railyard, the own hand, the end.

import { address } from "../shared/api.js";
import { button, car, fill, h, icon } from "../shared/dom.js";
import { market } from "../shared/market.js";
import { paintOf } from "../shared/paint.js";
import { playLinks } from "../shared/plays.js";
import { announce, confirmSheet } from "../shared/sheets.js";
import { CARDS, cardWord, chips, letterOf, LOCOMOTIVE } from "../shared/train_cards.js";
import { colourWord, list, number, say, sayCount } from "../shared/words.js";
import { ticketName } from "./deck.js";
import { openShare, pointsCard, tieText } from "./game_view.js";
import { dealAnew, freeSeat, getUp, play, playPath, sitDown, thePlay, vouchFor, wantDeletion } from "./played.js";

let isOpen = false; // whether the own cards are shown: a phone may lie on the table
let chosen = {}; // cards that are to be placed, by colour
const kept = new Set(); // tickets on offer that are to be kept
let said = "";
let completing = null; // positions of the tickets that are to be completed, where that is chosen

/** Show the game as it is now. */
export function showPlay(place) {
  const { view, answer } = thePlay();
  const draw = () => showPlay(place);
  const wasAtIt = place.contains(document.activeElement);
  const headline = title(view, answer);
  fill(place, head(headline, view, answer), thePlay().seat || view.final ? null : seats(view), takenOver(), deletion(), offer(view, draw), completion(view, draw), view.final || view.own?.to_complete ? null : openCards(view), ownCards(view, draw), players(view), answer ? ends(view, answer) : null, bonuses(view), happened(view), tools());
  if (headline !== said) announce((said = headline));
  // What was pressed may be gone: the keyboard goes on at what is to be done now.
  if (wasAtIt && !place.contains(document.activeElement)) place.querySelector(".turn-head").focus({ preventScroll: true });
}

const playerOf = (colour) => thePlay().view.players.find((player) => player.colour === colour);
const called = (colour) => playerOf(colour).name || (colour in thePlay().computers ? say("dealt.computer", { name: colourWord(colour) }) : colourWord(colour));
const isMine = ({ own }) => own?.is_on_turn || own?.offered.length > 0 || own?.to_complete;

function head(headline, view, answer) {
  const lines = [
    view.players.length === 4 && !view.final ? say(view.round === 1 ? "cards.first_deck" : "cards.second_deck") : null,
    view.turns_left ? sayCount("cards.turns_left", view.turns_left) : null,
    view.own?.is_on_turn && view.moved ? sayCount("cards.moved", view.moved) : null,
    answer && tieText(answer),
  ].filter(Boolean);
  return h("div", { class: isMine(view) ? "turn-head is-turn" : "turn-head", tabindex: "-1" }, h("h2", {}, headline), lines.map((line) => h("p", {}, line)));
}

function title(view, answer) {
  if (answer) return answer.winners.length > 1 ? say("cards.winners", { names: list(answer.winners.map(called)) }) : say("cards.winner", { name: called(answer.winners[0]) });
  if (view.own?.offered.length) return say("cards.your_tickets");
  if (view.own?.to_complete) return say("cards.complete_title");
  if (view.own?.is_on_turn) return say(view.own.drawn.length ? "cards.your_second" : "cards.your_turn");
  if (view.turn) return say("cards.turn_of", { name: called(view.turn) });
  return say("cards.choosing", { names: list(view.players.filter((player) => player.is_choosing).map(({ colour }) => called(colour))) });
}

/** Who has no seat takes one that is free. */
function seats(view) {
  const { seated, computers } = thePlay();
  const free = view.players.filter(({ colour }) => !seated.includes(colour) && !(colour in computers));
  return h("section", { class: "card" }, h("h3", {}, say(free.length ? "cards.who_are_you" : "cards.all_seated")),
    h("div", { class: "choices" }, free.map(({ colour }) => button(`sit-${colour}`, [car(paintOf(colour)), called(colour)], () => sitDown(colour), { class: "choice" }))));
}

function offer({ own }, draw) {
  if (!own?.offered.length) return kept.clear();
  const swap = (i) => (kept.delete(i) || kept.add(i), draw());
  const keep = async () => (await play({ move: "keep_offered", places: [...kept].sort() })) && kept.clear();
  return h("section", { class: "card choose" },
    h("ul", { class: "plain offered-list" }, own.offered.map((ticket, i) => h("li", {}, button(`offered-${i}`, [
      h("span", { class: "ticket-name" }, ticketName(ticket), h("br"), chips(ticket.circles)), points(ticket), h("span", { class: "offered-kept" }, kept.has(i) ? [icon("check"), say("dealt.is_kept")] : say("dealt.goes_back")),
    ], () => swap(i), { class: "offered", "aria-pressed": String(kept.has(i)) })))),
    button("keep", kept.size < own.at_least ? sayCount("dealt.at_least", own.at_least) : sayCount("dealt.keep", kept.size), keep, { class: "primary wide", disabled: kept.size < own.at_least }));
}

/** As a deck has run out: the best choice is proposed. What the first leaves out stays in the hand; of the last it is asked where each choice hangs on the others'. */
function completion({ own, round, players }, draw) {
  const isLast = players.length < 4 || round === 2;
  if (!own?.to_complete) return (completing = null);
  completing ??= new Set(own.to_complete);
  const places = [...completing].sort((a, b) => a - b);
  const isPaid = pays(own.track, places.map((i) => own.tickets[i]));
  const swap = (i) => (completing.delete(i) || completing.add(i), draw());
  return h("section", { class: "card choose" },
    h("p", { class: "soft" }, say(isLast ? "cards.complete_last" : "cards.complete_text")), own.is_proved || isLast ? null : h("p", {}, say("cards.complete_found")), chips(own.track),
    h("ul", { class: "plain offered-list" }, own.tickets.map((ticket, i) => h("li", {}, button(`complete-${i}`, [
      h("span", { class: "ticket-name" }, ticketName(ticket), h("br"), chips(ticket.circles)), points(ticket), h("span", { class: "offered-kept" }, completing.has(i) ? [icon("check"), say("cards.completed")] : say("cards.not_completed")),
    ], () => swap(i), { class: "offered", "aria-pressed": String(completing.has(i)) })))),
    button("complete", isPaid ? sayCount("cards.complete", places.length) : say("cards.complete_not"), () => play({ move: "complete_tickets", places }), { class: "primary wide", disabled: !isPaid }));
}

/** Tell whether cards complete tickets all together; Locomotives are any colour. */
function pays(cards, tickets) {
  const needs = {};
  for (const { circles } of tickets) for (const [colour, n] of Object.entries(circles)) needs[colour] = (needs[colour] ?? 0) + n;
  const missing = Object.entries(needs).reduce((sum, [colour, n]) => sum + Math.max(0, n - (cards[colour] ?? 0)), 0);
  return missing <= (cards[LOCOMOTIVE] ?? 0);
}

/** Who took over a seat sees no cards until a player who may says whose phone it is, or the hand is dealt anew. */
function takenOver() {
  const { seat, hidden, vouchers, is_here: isHere } = thePlay();
  return hidden.map((colour) => {
    const name = called(colour);
    const able = vouchers[colour];
    const mayVouch = able.includes(seat);
    const text = colour === seat ? (able.length ? "cards.hidden" : "cards.hidden_alone") : mayVouch ? "dealt.vouch_text" : able.length ? "dealt.taken_over" : "dealt.taken_over_alone";
    const anew = () => confirmSheet(say("dealt.deal_anew", { name }), say("dealt.deal_anew_text", { name }), say("dealt.deal_anew_yes"), () => dealAnew(colour), { isRisky: true });
    return h("section", { class: "card" }, h("p", {}, colour === seat ? [icon("lock"), " "] : null, say(text, { name })),
      able.length && !mayVouch ? h("p", { class: "soft" }, say("cards.who_may_vouch", { names: list(able.map(called), "disjunction") })) : null,
      mayVouch ? button(`vouch-${colour}`, say("dealt.vouch", { name }), () => vouchFor(colour), { class: "wide" }) : null,
      isHere ? button(`deal-anew-${colour}`, say("dealt.deal_anew", { name }), anew, { class: "wide danger" }) : null);
  });
}

/** Some want the game deleted: all are told, and who agrees too says so. */
function deletion() {
  const { deleting, seat, view } = thePlay();
  if (!deleting.length) return null;
  return h("section", { class: "card" }, h("p", {}, say("cards.deleting", { names: list(deleting.map(called)) })),
    view.own && !deleting.includes(seat) ? button("agree-delete", [icon("bin"), say("cards.delete_agree")], wantDeletion, { class: "wide danger" }) : null);
}

const points = (ticket) => h("span", { class: "ticket-points", "aria-label": sayCount("cards.points_n", ticket.points) }, number(ticket.points));

function openCards(view) {
  const { own } = view;
  const may = own?.is_on_turn && !own.offered.length;
  return [
    market(view, may ? { deck: own.can_draw_deck, places: own.can_draw_places, tickets: own.can_draw_tickets } : null, play),
    may && own.can_pass ? button("pass", say(own.drawn.length ? "cards.enough" : "dealt.pass"), () => play({ move: "pass_turn" }), { class: "wide" }) : null,
  ];
}

function ownCards({ own, final }, draw) {
  if (!own) isOpen = false; // whoever takes the seat again opens the hand anew
  if (!own || final) return null;
  const all = Object.values(own.hand).reduce((sum, n) => sum + n, 0);
  const toggle = button("own", [icon("eye"), sayCount("dealt.cards", all), h("span", { class: "soft" }, say(isOpen ? "cards.hide_own" : "cards.show_own"))], () => ((isOpen = !isOpen), draw()), { class: "wide", "aria-expanded": String(isOpen) });
  if (!isOpen) return h("section", { class: "card" }, h("h3", {}, say("dealt.hand")), toggle);
  return h("section", { class: "card own-cards" }, h("h3", {}, say("dealt.hand")), toggle,
    own.drawn.length ? h("p", {}, say("dealt.you_drew"), " ", chips(counted(own.drawn.map(({ card }) => card)))) : null,
    h("div", { class: "counters" }, CARDS.filter((card) => own.hand[card]).map((card) => tile(card, own, draw))),
    own.can_place ? placing(own, draw) : ((chosen = {}), null),
    h("h3", {}, say("cards.tickets")), own.tickets.length ? h("ul", { class: "plain tickets" }, own.tickets.map(ticketRow)) : h("p", { class: "soft" }, say("cards.no_tickets")),
    own.track ? [h("h3", {}, say("cards.own_track")), chips(own.track)] : null);
}

const counted = (cards) => cards.reduce((sum, card) => ({ ...sum, [card]: (sum[card] ?? 0) + 1 }), {});
const ticketRow = (ticket) => h("li", { class: "ticket" }, points(ticket), h("div", { class: "ticket-main" }, h("p", { class: "ticket-name" }, ticketName(ticket)), chips(ticket.circles)));

/** A colour of the hand: each tap takes one more to be placed, and after the last one none. */
function tile(card, own, draw) {
  const taken = chosen[card] ?? 0;
  const more = () => ((chosen = { ...chosen, [card]: (taken + 1) % (own.hand[card] + 1) }), draw());
  return button(`tile-${card}`, [
    h("b", { "aria-hidden": "true" }, letterOf(card)), h("span", { class: "tile-count" }, taken ? say("cards.taken_of", { taken: number(taken), n: number(own.hand[card]) }) : number(own.hand[card])),
  ], more, { class: `tile car-${card}`, disabled: !own.can_place, "aria-label": say("cards.tile", { n: number(own.hand[card]), colour: cardWord(card), taken: number(taken) }) });
}

function placing(own, draw) {
  const cards = Object.fromEntries(Object.entries(chosen).filter(([card, n]) => n && n <= (own.hand[card] ?? 0)));
  const place = async () => (await play({ move: "place_cards", cards })) && ((chosen = {}), draw());
  return button("place", Object.keys(cards).length ? [say("cards.place"), " ", chips(cards)] : say("cards.place_how"), place, { class: "primary wide", disabled: !Object.keys(cards).length });
}

function players(view) {
  return h("section", { class: "card" }, h("h3", {}, say("cards.railyards")), h("ul", { class: "plain" }, view.players.map((player) => h("li", { class: "yard", "data-yard": player.colour },
    h("p", { class: "score-name" }, car(paintOf(player.colour)), called(player.colour), player.colour === view.own?.colour ? h("span", { class: "soft" }, say("cards.you")) : null),
    Object.keys(player.railyard).length ? h("ul", { class: "plain yard-rows" }, Object.entries(player.railyard).map(([card, row]) => h("li", {}, chips({ [card]: row.cards, [LOCOMOTIVE]: row.locomotives })))) : h("p", { class: "soft" }, say("cards.empty_yard")),
    mayFree(player.colour, view) ? freeing(player.colour) : null,
    h("p", { class: "soft" }, [sayCount("cards.in_hand", player.hand), sayCount("cards.on_track", player.track), sayCount("cards.tickets_n", player.tickets)].join(" · ")),
    player.completed.length && !view.final ? done(player.completed) : null))));
}

const mayFree = (colour, { final }) => !final && thePlay().is_here && colour !== thePlay().seat && thePlay().seated.includes(colour);

/** The host frees the seat of a phone that is lost. */
function freeing(colour) {
  const name = called(colour);
  return button(`free-${colour}`, say("cards.free_seat"), () => confirmSheet(say("cards.free_title", { name }), say("cards.free_text", { name }), say("cards.free_seat"), () => freeSeat(colour)), { class: "quiet" });
}

/** Tickets that were completed, each with the cards that paid for it. */
const done = (completed) => h("ul", { class: "plain lines" }, completed.map(({ ticket, paid }) => h("li", { class: "line" }, h("span", {}, ticketName(ticket), h("br"), chips(paid)), h("span", { class: "sum" }, number(ticket.points)))));

function ends(view, answer) {
  return [
    pointsCard(answer, ({ colour }) => called(colour)),
    view.players.filter((player) => !player.is_proved).map(({ colour }) => h("p", { class: "soft" }, say("cards.found_only", { name: called(colour) }))),
    h("section", { class: "card" }, h("h2", {}, say("cards.completed_with")), view.players.map((player) => [h("h3", {}, called(player.colour)), player.completed.length ? done(player.completed) : h("p", { class: "soft" }, say("cards.none_completed"))])),
  ];
}

/** "Place the 6 Big Cities Bonus cards off to the side, their value visible to all players." */
function bonuses({ city_bonuses: worth }) {
  if (!Object.keys(worth).length) return null;
  return h("details", { class: "card", "data-key": "bonuses" }, h("summary", {}, say("cards.bonuses")), h("ul", { class: "plain lines" }, Object.entries(worth).map(([city, points]) => h("li", { class: "line" }, h("span", {}, city), h("span", { class: "sum" }, number(points))))));
}

const WHAT = { freed: "cards.did.freed", vouched: "cards.did.vouched", left: "cards.did.left", "dealt anew": "dealt.last_dealt_anew", kept: "cards.did.kept", drew: "cards.did.drew", placed: "cards.did.placed", passed: "cards.did.passed", "last turns": "cards.did.last_turns", "second deck": "cards.did.second_deck", end: "cards.did.end" };

function happened(view) {
  if (!view.events.length) return null;
  return h("details", { class: "card", "data-key": "happened", open: true }, h("summary", {}, say("cards.happened")), h("ul", { class: "plain lines" }, view.events.slice(-8).reverse().map((event) => {
    const { hidden, ...cards } = counted(event.cards ?? []);
    return h("li", { class: "line" }, h("span", {}, say(WHAT[event.what], { name: called(event.colour), n: number(event.tickets ?? 0) }), " ", chips(cards),
      hidden ? ` ${sayCount("cards.from_deck", hidden)}` : null,
      event.missing ? ` ${sayCount("cards.missing", event.missing)}` : null,
      Object.entries(event.robbed ?? {}).map(([colour, n]) => ` ${sayCount("cards.robbed", n, { name: called(colour) })}`)));
  })));
}

function tools() {
  const { view, seat, is_here: isHere } = thePlay();
  const leave = () => confirmSheet(say("cards.leave_title"), say("cards.leave_text"), say("cards.leave_yes"), getUp);
  const drop = () => confirmSheet(say("cards.delete_title"), say(isHere ? "cards.delete_text" : "cards.delete_play_text"), say("cards.delete_yes"), wantDeletion);
  return h("section", { class: "choices" },
    button("share", [icon("share"), say("cards.share")], () => openShare(playPath("/code"), say("cards.share_play"))),
    seat && !view.final ? button("leave", say("cards.leave_title"), leave) : null,
    view.final ? h("a", { class: "button", href: address(playPath("/export")), download: "" }, say("cards.export")) : null,
    view.own || isHere ? button("delete", [icon("bin"), say("cards.delete_yes")], drop, { class: "danger" }) : null,
    view.final ? playLinks(playPath(), true) : null,
    h("a", { class: "help-link", href: "/card-game" }, say("cards.other_games")));
}
