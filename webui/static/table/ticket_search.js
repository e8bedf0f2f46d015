// Finding a ticket in the edition's list: type a few letters of one city, or of both.

import { announce } from "../shared/announce.js";
import { get } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { placeName, ticketName } from "../shared/names.js";
import { openSheet } from "../shared/sheet.js";
import { theBoard } from "../shared/state.js";
import { attempt } from "../shared/toast.js";
import { number, plain, say, sayCount } from "../shared/words.js";

const MOST = 40;
let deck = null;

/** Open the search; `keep(ticket)` puts one into the own hand and says whether that worked. */
export function openTicketSearch(held, keep) {
  if (deck?.length === 0) openOwn(keep);
  else openDeck(new Set(held.map(key)), keep);
}

const key = (ticket) => [ticket.a, ticket.b].sort().join("--");

/** Return the tickets that every typed word begins a word of, as the list has them. */
export function matching(all, typed, nameOf = placeName) {
  const wanted = plain(typed).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return all.filter((ticket) => {
    const words = plain(`${nameOf(ticket.a)} ${nameOf(ticket.b)}`).split(/\s+/);
    return wanted.every((word) => words.some((other) => other.startsWith(word)));
  });
}

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
    const found = matching(deck, input.value).filter((ticket) => !kept.has(key(ticket)));
    announce(sayCount("tickets.found", found.length));
    fill(results, found.slice(0, MOST).map((ticket) =>
      h("li", {}, h("button", { type: "button", class: "result", "data-key": key(ticket), on: { click: () => choose(ticket) } }, h("span", {}, ticketName(ticket)), h("span", { class: "sum" }, number(ticket.points))))),
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
