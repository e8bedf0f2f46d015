// Finding a ticket in the edition's list: type a few letters of one city, or of both.

import { get, post } from "./api.js";
import { announce } from "./announce.js";
import { fill, h } from "./dom.js";
import { placeName, ticketName } from "./names.js";
import { theBoard } from "./state.js";
import { openSheet } from "./sheet.js";
import { attempt } from "./toast.js";
import { number, say, sayCount } from "./words.js";

const MOST = 40;
let deck = null;

async function tickets() {
  if (deck) return deck;
  const answer = await get("/deck");
  deck = answer.tickets ?? answer;
  return deck;
}

/** Open the search; `done` is called after each ticket that was kept. */
export async function openTicketSearch(held, done) {
  const all = await attempt(tickets);
  if (!all) return;
  const kept = new Set(held.map(key));
  if (all.length) openDeck(all, kept, done);
  else openOwn(done);
}

const key = (ticket) => [ticket.a, ticket.b].sort().join("--");

/** Fold away what a thumb does not type: capitals, accents, dots. */
export function plain(text) {
  return text.normalize("NFD").replace(/[\u0300-\u036f.]/g, "").toLowerCase();
}

/** Return the tickets that every typed word begins a word of, as the list has them. */
export function matching(all, typed, nameOf = placeName) {
  const wanted = plain(typed).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return all.filter((ticket) => {
    const words = plain(`${nameOf(ticket.a)} ${nameOf(ticket.b)}`).split(/\s+/);
    return wanted.every((word) => words.some((other) => other.startsWith(word)));
  });
}

function openDeck(all, kept, done) {
  const results = h("ul", { class: "plain results" });
  const input = h("input", { type: "search", id: "ticket-search", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search" });
  const keep = async (ticket) => {
    const answer = await attempt(() => post("/hand", { a: ticket.a, b: ticket.b, points: ticket.points }), say("ticket.kept", { ticket: ticketName(ticket) }));
    if (!answer) return;
    kept.add(key(ticket));
    input.value = "";
    show();
    input.focus();
    done();
  };
  const show = () => {
    const found = matching(all, input.value).filter((ticket) => !kept.has(key(ticket)));
    announce(sayCount("tickets.found", found.length));
    fill(results, found.slice(0, MOST).map((ticket) =>
      h("li", {}, h("button", { type: "button", class: "result", "data-key": key(ticket), on: { click: () => keep(ticket) } }, h("span", {}, ticketName(ticket)), h("span", { class: "sum" }, number(ticket.points))))),
    found.length ? null : h("li", { class: "soft" }, say("tickets.not_found")));
  };
  input.addEventListener("input", show);
  openSheet(say("tickets.add"), () => [h("label", { for: "ticket-search" }, say("tickets.search")), input, results], { name: "tall" });
  show();
  input.focus();
}

/** An edition without a list of its tickets: both cities and the points are typed. */
function openOwn(done) {
  const cities = theBoard().places;
  const choose = (id) => h("select", { id }, cities.map((place) => h("option", { value: place.id }, place.name)));
  const [a, b] = [choose("ticket-a"), choose("ticket-b")];
  const points = h("input", { type: "number", id: "ticket-points", min: 1, max: 100, required: true, inputmode: "numeric" });
  const form = h("form", { class: "stack" },
    h("label", { for: "ticket-a" }, say("tickets.from")), a, h("label", { for: "ticket-b" }, say("tickets.to")), b,
    h("label", { for: "ticket-points" }, say("tickets.points")), points, h("button", { type: "submit", class: "primary" }, say("tickets.keep")));
  const sheet = openSheet(say("tickets.add"), () => form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    sheet.close();
    const ticket = { a: a.value, b: b.value, points: Number(points.value) };
    if (await attempt(() => post("/hand", ticket), say("ticket.kept", { ticket: ticketName(ticket) }))) done();
  });
}
