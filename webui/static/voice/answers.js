// What is asked at the table, and what is answered: sentences that a voice says and a screen reader reads.

import { get } from "../shared/api.js";
import { winnerText } from "../shared/final_score.js";
import { eventPinText, eventText } from "../shared/log_words.js";
import { laneWord, nameOfSeat, pieceKeys, placeName, routeName, sizeText, who } from "../shared/names.js";
import { me, mine, now, playersInOrder, standing, theBoard } from "../shared/state.js";
import { nameOfCard } from "../shared/train_card.js";
import { list, number, say, sayCount, sentence, signed } from "../shared/words.js";
import { markerText, taskText } from "../dealt/to_lay.js";
import { beginText, cardsInWords, doingText, isBeginning, lastText, turnText } from "../dealt/turn_words.js";
import { rowText } from "../table/players.js";
import { ticketStanding } from "../table/tickets.js";
import { claimText, questionText } from "./voice.js";

const NEWEST = 3;
// What is to be done in the own turn, by what has been begun in it.
const STEPS = { drawing: "dealt.step_second", choosing: "dealt.step_choose", tunnel: "dealt.step_tunnel" };

/** Return what can be asked: the name of each question, and a function that gives its answer, a list of sentences. */
export function questions() {
  const always = [
    [say("ask.turn"), turn],
    [say("ask.last"), last],
    [say("ask.tickets"), tickets],
    [say("ask.scores"), scores],
    [say("ask.tasks"), tasks],
  ];
  return now().cards ? [...always, [say("ask.hand"), hand], [say("ask.market"), market]] : always;
}

function turn() {
  const { cards, game, players } = now();
  if (game.ended) return now().phase === "winner" ? Object.values(winnerText(players)) : [sentence(say("status.ended"))];
  const seat = cards ? cards.turn : game.likely_turn;
  const isMine = cards && me().seat && (cards.turn === me().seat || (cards.choosing ?? []).includes(me().seat));
  const whose = isMine ? say("dealt.your_turn") : cards ? turnText(cards) : seat ? say("turn.likely", { name: nameOfSeat(seat) }) : say("ask.nobody_knows");
  const ending = game.last_turns_by ? say("last_turns.said", { name: nameOfSeat(game.last_turns_by) }) : "";
  const step = game.paused ? say("voice.paused") : isMine ? stepText(cards) : cards ? doingText(cards) : "";
  return [whose, step, ending].map(sentence);
}

function stepText(cards) {
  if (isBeginning(cards)) return say("dealt.step_first");
  const key = STEPS[cards.phase === "first_tickets" ? "choosing" : cards.doing?.what];
  return key ? say(key) : beginText();
}

/** What was done last; a claim that still stands is told as the voice called it. */
function last() {
  const { cards, log } = now();
  const told = (event) => {
    const { fact, is_undone: isUndone } = event;
    const [spot, colour] = [`route:${fact.route}`, fact.colour ?? fact.now];
    if (isUndone) return say("log.undone", { what: eventText(event) });
    return [fact.route && colour && !fact.was && standing(spot) === colour ? claimText(spot, colour) : eventText(event), eventPinText(event)];
  };
  const events = log.filter((event) => event.kind !== "turn_marked" && eventText(event)).slice(-NEWEST).reverse();
  return [cards ? lastText(cards) : "", ...events.flatMap(told)].map(sentence);
}

async function tickets() {
  if (!me().seat) return [say("ask.no_seat")];
  const { tickets: held, worst, best } = await get("/hand");
  if (!held.length) return [say("voice.no_tickets")];
  return [...held.flatMap((ticket) => [ticketText(ticket), wayText(ticket)]), sentence(say("tickets.range", { worst: signed(worst), best: signed(best) }))];
}

/** Return one own ticket, and whether it is done or can still be. */
export function ticketText(ticket) {
  return sayCount("voice.ticket", ticket.points, { a: placeName(ticket.a), b: placeName(ticket.b), standing: ticketStanding(ticket).text });
}

function wayText(ticket) {
  const routes = ticket.is_done ? [] : ticket.with_stations?.routes ?? ticket.routes ?? [];
  return routes.length ? say("ask.way", { routes: list(routes.map((id) => routeName(id))) }) : "";
}

const scores = () => playersInOrder(now().players).map((player) => sentence(rowText(player)));

/** What waits for somebody: questions, what cannot be, what is to be laid, a camera that sees nothing. */
function tasks() {
  const { cards, problems, questions: asked, table } = now();
  const toLay = (cards?.to_lay ?? []).flatMap((one) => [taskText(one), markerText(one)]);
  const all = [table.hindrance ? sentence(table.hindrance.said) : "", ...asked.map(questionText), ...problems.map(({ what }) => sentence(what)), ...toLay];
  return all.some(Boolean) ? all : [say("ask.no_tasks")];
}

async function hand() {
  if (!me().seat) return [say("ask.no_seat")];
  const view = await get("/cards");
  if (view.is_hidden) return [say("dealt.hidden", { name: nameOfSeat(me().seat) })];
  const count = Object.values(view.hand).reduce((sum, n) => sum + n, 0);
  const payable = view.payable.filter((spot) => spot.startsWith("route:"));
  return [
    sentence(say("ask.cards", { n: sayCount("dealt.cards", count), cards: cardsInWords(view.hand) })),
    ...(view.offered.length ? [sentence(say("dealt.choose")), sayCount("dealt.offered", view.offered.length), sayCount("dealt.at_least", view.at_least)] : []),
    payable.length ? sayCount("ask.payable", payable.length) : "",
  ];
}

function market() {
  const { face_up: faceUp, in_deck: inDeck, discards, tickets_left: ticketsLeft } = now().cards;
  return [
    sentence(say("ask.face_up", { cards: list(faceUp.map(nameOfCard)) })),
    sentence(say("dealt.deck", { n: sayCount("dealt.cards", inDeck) })),
    sentence(say("dealt.beside", { tickets: number(ticketsLeft), discards: number(discards) })),
  ];
}

/** Return which routes from a place are free, which of them can be paid, and whose the others are. */
export async function routesFrom(place) {
  const isDealt = now().cards && me().seat;
  const [routes, view] = await Promise.all([get(`/places/${place}/routes`), isDealt ? get("/cards") : null]);
  const free = routes.filter((one) => one.is_open);
  return [sayCount("ask.free", free.length, { place: placeName(place) }), ...free.map((one) => freeText(one, view?.payable ?? [])), ...routes.filter((one) => !one.is_open).map(closedText)].map(sentence);
}

function freeText({ route: id, to }, payable) {
  const route = theBoard().route[id];
  return say(payable.includes(`route:${id}`) ? "ask.route_payable" : "ask.route", { to: endText(id, to), size: sizeText(route) });
}

function closedText({ route: id, to, holder }) {
  const values = { to: endText(id, to) };
  if (holder) return say("ask.taken", { ...values, who: who(holder) });
  const left = mine()?.trains_left;
  if (left < theBoard().route[id].length) return say("ask.too_long", { ...values, left: sayCount(pieceKeys().left, left) });
  return say("ask.closed", values);
}

/** Return a route by the place that it leads to, and which lane it is. */
const endText = (id, to) => [placeName(to), laneWord(id)].filter(Boolean).join(", ");

