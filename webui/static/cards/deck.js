// The deck that the user typed in once, as the server keeps it.

import { get, put } from "../shared/api.js";
import { matching as meant } from "../shared/search.js";
import { say } from "../shared/words.js";

let deck = { tickets: [], city_bonuses: {}, seen: "", is_here: false };

export const theDeck = () => deck;

export async function loadDeck() {
  deck = await get("/card-deck");
  return deck;
}

/** Put other tickets and bonuses in place of what is there; the server takes all of it or nothing. */
export async function saveDeck({ tickets = deck.tickets, city_bonuses = deck.city_bonuses }) {
  const { seen } = await put("/card-deck", { tickets, city_bonuses, seen: deck.seen });
  deck = { ...deck, tickets, city_bonuses, seen };
}

/** Add what was read from a table; what is there already is there once. Gives back how many are new. */
export async function addToDeck(read) {
  const known = new Set(deck.tickets.map(keyOf));
  const fresh = read.tickets.filter((ticket) => !known.has(keyOf(ticket)));
  await saveDeck({ tickets: [...deck.tickets, ...fresh], city_bonuses: { ...deck.city_bonuses, ...read.city_bonuses } });
  return fresh.length;
}

// Tickets by their cities: what they are called, and which ones a few typed letters mean.

export function ticketName({ cities }) {
  return cities.length === 2 ? say("cards.ticket_name", { a: cities[0], b: cities[1] }) : cities[0];
}

/** Return what is equal for tickets that are printed alike. */
export function keyOf({ cities, circles, points }) {
  return JSON.stringify([[...cities].sort(), Object.entries(circles).sort(), points]);
}

/** Return the tickets that are meant by what is typed, by name. */
export function matching(tickets, typed) {
  return meant(tickets, typed, ({ cities }) => cities).sort((one, other) => ticketName(one).localeCompare(ticketName(other)));
}

/** The text of a file that was chosen: UTF-8, or UTF-16 with its mark, which Windows calls Unicode. */
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = { 0xfffe: "utf-16le", 0xfeff: "utf-16be" }[bytes[0] * 256 + bytes[1]];
  return new TextDecoder(kind ?? "utf-8").decode(bytes);
}
