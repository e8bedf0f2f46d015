// The deck that the user typed in once, as the server keeps it.

import { get, put } from "../shared/api.js";
import { keyOf } from "./find.js";

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
