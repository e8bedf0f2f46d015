// This phone's own tickets. Nobody else's page ever gets them, until they are shown to everyone.

import { get, post, remove } from "../shared/api.js";
import { light } from "../shared/board.js";
import { fill, h, icon } from "../shared/dom.js";
import { pieceKeys, ticketName } from "../shared/names.js";
import { confirmSheet } from "../shared/sheet.js";
import { me, now, watch } from "../shared/state.js";
import { attempt } from "../shared/toast.js";
import { number, say, sayCount, signed } from "../shared/words.js";
import { showTab } from "./tabs.js";
import { openTicketSearch } from "./ticket_search.js";

let hand = null;
let place = null;
let asking = null;
let wanted = 0;

/** Show the own tickets and keep them true as the board fills. */
export function showTickets(panel) {
  place = panel;
  watch((state, you) => [you.seat, state.spots, state.game.ended, state.players], () => refresh());
}

/** Ask for the own tickets anew; what changes while the answer is on its way is asked once more. */
export async function refresh() {
  wanted += 1;
  if (me().seat) await (asking ??= ask().finally(() => (asking = null)));
  else hand = null;
  return draw();
}

async function ask() {
  let asked;
  do {
    asked = wanted;
    hand = await get("/hand").catch(() => hand);
  } while (asked !== wanted);
}

function draw() {
  if (!place) return null;
  if (!me().seat) return fill(place, h("h2", {}, say("tickets.title")), h("div", { class: "card" }, h("p", {}, say("tickets.no_seat"))));
  const tickets = hand?.tickets ?? [];
  return fill(place,
    h("h2", {}, say("tickets.title")),
    h("p", { class: "soft secret" }, icon("lock"), h("span", {}, say("tickets.secret"))),
    tickets.length ? summary(tickets) : h("div", { class: "card" }, h("p", {}, say("tickets.none"))),
    h("ul", { class: "plain tickets" }, tickets.map((ticket) => item(ticket))),
    h("button", { type: "button", class: "primary wide", "data-key": "ticket-add", on: { click: () => openTicketSearch(tickets, keepTicket) } }, icon("plus"), say("tickets.add")),
    now().game.ended && tickets.some((ticket) => !isRevealed(ticket)) ? h("button", { type: "button", class: "wide", on: { click: revealAll } }, say("tickets.reveal")) : null);
}

export const isRevealed = (ticket) => ticket.is_revealed;

/** Return the own tickets as they were last heard of; null without a seat. */
export const ownTickets = () => hand?.tickets ?? null;

function summary(tickets) {
  const done = tickets.filter((ticket) => ticket.is_done).length;
  return h("div", { class: "card hand-sum" },
    h("p", {}, h("strong", {}, say("tickets.done_of", { done: number(done), all: number(tickets.length) }))),
    hand.best === undefined ? null : h("p", { class: "soft" }, say("tickets.range", { worst: signed(hand.worst), best: signed(hand.best) })));
}

/** Tell how a ticket stands: done, still possible, or not any more. */
function standing(ticket) {
  if (ticket.is_done) return { mood: "done", sign: "check", text: say("ticket.done") };
  if (!ticket.is_possible) return { mood: "gone", sign: "cross", text: now().game.ended ? say("ticket.open") : say("ticket.impossible") };
  return { mood: "open", sign: "road", text: sayCount(pieceKeys().needed, ticket.trains_needed) };
}

function item(ticket) {
  const { mood, sign, text } = standing(ticket);
  const routes = ticket.routes ?? [];
  const show = () => {
    showTab("board");
    light(routes, { isShown: true });
  };
  const drop = () => confirmSheet(say("ticket.drop_title"), say("ticket.drop_text", { ticket: ticketName(ticket) }), say("ticket.drop"), () => dropTicket(ticket));
  return h("li", { class: `ticket ticket-${mood}` },
    h("span", { class: "ticket-points", "aria-label": sayCount("count.points", ticket.points) }, number(ticket.points)),
    h("div", { class: "ticket-main" }, h("p", { class: "ticket-name" }, ticketName(ticket)), h("p", { class: "ticket-standing" }, icon(sign), h("span", {}, text), isRevealed(ticket) ? h("span", { class: "tag" }, say("ticket.revealed")) : null)),
    h("div", { class: "ticket-acts" },
      mood === "open" && routes.length ? h("button", { type: "button", "aria-label": say("ticket.show", { ticket: ticketName(ticket) }), on: { click: show } }, icon("map")) : null,
      isRevealed(ticket) ? null : h("button", { type: "button", "aria-label": say("ticket.drop_of", { ticket: ticketName(ticket) }), on: { click: drop } }, icon("bin"))));
}

/** Keep a ticket in the own hand; gives back whether it is there now. */
export async function keepTicket({ a, b, points }) {
  const answer = await attempt(() => post("/hand", { a, b, points }), say("ticket.kept", { ticket: ticketName({ a, b }) }), () => dropTicket({ a, b, points }));
  await refresh();
  return answer !== null;
}

async function dropTicket({ a, b, points }) {
  await attempt(() => remove("/hand", { a, b, points }), say("ticket.dropped", { ticket: ticketName({ a, b }) }), () => keepTicket({ a, b, points }));
  await refresh();
}

/** Show all own tickets to everyone. */
export async function revealAll() {
  await attempt(() => post("/hand/reveal", {}), say("tickets.revealed"), "ticket_revealed");
  refresh();
}
