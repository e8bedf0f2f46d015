// This phone's own tickets. Nobody else's page ever gets them, until they are shown to everyone.

import { get, getPatiently, post, remove } from "../shared/api.js";
import { light } from "../shared/board.js";
import { button, car, fill, h, icon, photoButton } from "../shared/dom.js";
import { nameOf, pieceKeys, placeName, endsName } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { matching } from "../shared/search.js";
import { announce, attempt, confirmSheet, openSheet } from "../shared/sheets.js";
import { me, now, seated, theBoard, watch } from "../shared/state.js";
import { number, say, sayCount, signed, withWords } from "../shared/words.js";
import { showTab } from "./tabs.js";

let hand = null;
let place = null;
let asking = null;
let wanted = 0;
let later = false;

/** Tell whether who holds this phone wants to choose tickets later, or not here. */
export const isLater = () => later;

/** Show the own tickets and keep them true as the board fills. */
export function showTickets(panel) {
  place = panel;
  watch((state, you) => [you.seat, you.lost_seat, state.spots, state.game.ended, state.players, state.cards, state.phase, state.chosen], () => refresh());
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
    hand = await getPatiently("/hand").catch(() => hand);
  } while (asked !== wanted);
}

/** Say that the host took this phone's seat; null where the host did not. */
export function lostSeat() {
  const lost = seated(me().lost_seat);
  return lost ? h("p", { class: "problem" }, say("seat.lost", { name: nameOf(lost) })) : null;
}

function draw() {
  if (!place) return null;
  dispatchEvent(new Event("hand"));
  if (!me().seat) return fill(place, h("h2", {}, say("tickets.title")), h("div", { class: "card" }, lostSeat(), h("p", {}, say("tickets.no_seat"))));
  const tickets = hand?.tickets ?? [];
  const isFirst = !tickets.length && !now().cards && ["seats", "tickets"].includes(now().phase);
  return fill(place,
    h("h2", {}, say(isFirst ? "tickets.choose_title" : "tickets.title")),
    h("p", { class: "soft secret" }, icon("lock"), h("span", {}, say("tickets.secret"))),
    tickets.length ? summary(tickets) : now().cards ? null : h("div", { class: "card" }, h("p", {}, say("tickets.none"))),
    hand?.is_taken_over ? h("p", { class: "soft" }, now().cards ? say("tickets.older_dealt") : say("tickets.taken_over")) : null,
    h("ul", { class: "plain tickets" }, tickets.map((ticket) => item(ticket))),
    now().cards ? null : photoButton("ticket-photo", say("tickets.photo"), (files) => photograph("/hand", files, tickets, keepTicket)),
    now().cards ? null : button("ticket-add", [icon("plus"), say(isFirst ? "tickets.choose" : "tickets.add")], () => openTicketSearch(tickets, keepTicket), { class: "wide" }),
    isFirst ? button("later", say("tickets.later"), chooseLater, { class: "wide quiet" }) : null,
    isFirst ? h("section", { class: "card" }, h("ul", { class: "plain", "aria-label": say("tickets.who_chose") }, now().players.filter(({ seat }) => seat !== me().seat).map(choosing))) : null,
    now().game.ended && isHiding() ? button(null, say("tickets.reveal"), revealAll, { class: "wide" }) : null);
}

function chooseLater() {
  later = true;
  showTab("score");
}

/** A player's line while all choose: whether, and never what. */
function choosing(player) {
  const hasChosen = now().chosen.includes(player.seat);
  const text = hasChosen ? "tickets.has_chosen" : player.is_paired ? "tickets.chooses" : "tickets.no_phone";
  return h("li", { class: "line" }, car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("span", { class: hasChosen ? "sum done-text" : "sum soft" }, say(text)));
}

const isRevealed = (ticket) => ticket.is_revealed;

/** Return the own tickets that this phone knows of. */
export const ownTickets = () => hand?.tickets ?? [];

/** Tell whether not everyone has seen all of the own hand, with what an earlier phone kept. */
export const isHiding = () => hand?.is_all_shown === false;

function summary(tickets) {
  const done = tickets.filter((ticket) => ticket.is_done).length;
  return h("div", { class: "card hand-sum" },
    h("p", {}, h("strong", {}, say("tickets.done_of", { done: number(done), all: number(tickets.length) }))),
    hand.best === undefined ? null : h("p", { class: "soft" }, hand.best === hand.worst
      ? sayCount("count.points", hand.best)
      : say("tickets.range", { worst: signed(hand.worst), best: signed(hand.best) })));
}

/** Tell how a ticket stands: done, still possible, or not any more. */
export function ticketStanding(ticket) {
  if (ticket.is_done) return { mood: "done", sign: "check", text: say("ticket.done") };
  if (!ticket.is_possible) return { mood: "gone", sign: "cross", text: now().game.ended ? say("ticket.open") : say("ticket.impossible") };
  if (ticket.is_undecided) return { mood: "open", sign: "road", text: say("ticket.undecided") };
  if (ticket.with_stations) return { mood: "open", sign: "road", text: sayCount("ticket.with_stations", ticket.with_stations.stations.length) };
  return { mood: "open", sign: "road", text: sayCount(pieceKeys().needed, ticket.trains_needed) };
}

/** Return a ticket's points as they are printed; a screen reader says what the number is of. */
export function pointsOf({ points }) {
  return h("span", { class: "ticket-points" }, h("span", { "aria-hidden": "true" }, number(points)), h("span", { class: "unseen" }, sayCount("count.points", points)));
}

function item(ticket) {
  const { mood, sign, text } = ticketStanding(ticket);
  const routes = ticket.with_stations?.routes ?? ticket.routes ?? [];
  const show = () => {
    showTab("board");
    light(routes, { isShown: true });
  };
  const drop = () => confirmSheet(say("ticket.drop_title"), say("ticket.drop_text", { ticket: endsName(ticket) }), say("ticket.drop"), () => dropTicket(ticket));
  return h("li", { class: `ticket ticket-${mood}` },
    pointsOf(ticket),
    h("div", { class: "ticket-main" }, h("p", { class: "ticket-name" }, endsName(ticket)), h("p", { class: "ticket-standing" }, icon(sign), h("span", {}, text), isRevealed(ticket) ? h("span", { class: "tag" }, say("ticket.revealed")) : null)),
    h("div", { class: "ticket-acts" },
      mood === "open" && routes.length ? button(null, icon("map"), show, { "aria-label": say("ticket.show", { ticket: endsName(ticket) }) }) : null,
      isRevealed(ticket) || now().cards ? null : button(null, icon("bin"), drop, { "aria-label": say("ticket.drop_of", { ticket: endsName(ticket) }) })));
}

/** Keep a ticket in the own hand; gives back whether it is there now. */
export async function keepTicket({ a, b, points }) {
  const answer = await attempt(() => post("/hand", { a, b, points }), say("ticket.kept", { ticket: endsName({ a, b }) }), () => dropTicket({ a, b, points }));
  await refresh();
  return answer !== null;
}

async function dropTicket({ a, b, points }) {
  await attempt(() => remove("/hand", { a, b, points }), say("ticket.dropped", { ticket: endsName({ a, b }) }), () => keepTicket({ a, b, points }));
  await refresh();
}

/** Show all own tickets to everyone. */
export async function revealAll() {
  await attempt(() => post("/hand/reveal", {}), say("tickets.revealed"));
  refresh();
}

// Finding a ticket in the edition's list: type a few letters of one city, or of both.

const MOST = 40;
let deck = null;

/** Read photos of the tickets of a hand; `keep(ticket)` puts one into it and says whether that worked. */
export async function photograph(path, files, held, keep) {
  const { openTicketPhoto } = await withWords("ticket_photo", import("./ticket_photo.js"));
  openTicketPhoto(`${path}/photo`, files, held, keep, openTicketSearch);
}

/** Open the search; `keep(ticket)` puts one into the own hand and says whether that worked. */
export function openTicketSearch(held, keep) {
  if (deck?.length === 0) openOwn(keep);
  else openDeck(new Set(held.map(key)), keep);
}

const key = (ticket) => [ticket.a, ticket.b].sort().join("--");

/** The field is there before the tickets are: what is typed while they come is searched for. */
async function openDeck(kept, keep) {
  const results = h("ul", { class: "plain results" });
  const input = h("input", { type: "search", id: "ticket-search", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search" });
  const choose = async (ticket) => {
    const sought = input.value;
    if (!(await keep(ticket))) return;
    kept.add(key(ticket));
    if (input.value === sought) input.value = ""; // else the next one is being typed
    show();
    input.focus();
  };
  const show = () => {
    if (!deck) return;
    const found = matching(deck, input.value, ({ a, b }) => [placeName(a), placeName(b)]).filter((ticket) => !kept.has(key(ticket)));
    announce(sayCount("tickets.found", found.length));
    fill(results, found.slice(0, MOST).map((ticket) =>
      h("li", {}, button(key(ticket), [h("span", {}, endsName(ticket)), h("span", { class: "sum" }, number(ticket.points))], () => choose(ticket), { class: "result" }))),
    found.length ? null : h("li", { class: "soft" }, say("tickets.not_found")));
  };
  input.addEventListener("input", show);
  const sheet = openSheet(say("tickets.add"), () => [h("label", { for: "ticket-search" }, say("tickets.search")), input, results], { name: "tall" });
  input.focus();
  deck ??= (await attempt(() => get("/deck")))?.tickets ?? null;
  if (!sheet.dialog.open) return;
  if (deck?.length) return show();
  sheet.close();
  if (deck) openOwn(keep);
}

/** An edition without a list of its tickets: both cities and the points are typed. */
function openOwn(keep) {
  const cities = theBoard().places;
  const choose = (id) => h("select", { id }, cities.map((place) => h("option", { value: place.id }, place.name)));
  const [a, b] = [choose("ticket-a"), choose("ticket-b")];
  const points = h("input", { type: "number", id: "ticket-points", min: 1, max: 100, required: true, inputmode: "numeric" });
  const form = h("form", { class: "stack" },
    h("label", { for: "ticket-a" }, say("tickets.from")), a, h("label", { for: "ticket-b" }, say("tickets.to")), b,
    h("label", { for: "ticket-points" }, say("tickets.points")), points, h("button", { type: "submit", class: "primary" }, say("tickets.keep")));
  const sheet = openSheet(say("tickets.add"), () => form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sheet.close();
    keep({ a: a.value, b: b.value, points: Number(points.value) });
  });
}
