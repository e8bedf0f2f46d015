// Tickets by their cities: what they are called, and which ones a few typed letters mean.

import { plain, say } from "../shared/words.js";

export function ticketName({ cities }) {
  return cities.length === 2 ? say("cards.ticket_name", { a: cities[0], b: cities[1] }) : cities[0];
}

/** Return what is equal for tickets that are printed alike. */
export function keyOf({ cities, circles, points }) {
  return JSON.stringify([[...cities].sort(), Object.entries(circles).sort(), points]);
}

/** Return the tickets that every typed word begins a word of, by name. */
export function matching(tickets, typed) {
  const wanted = plain(typed).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const found = tickets.filter((ticket) => {
    const words = plain(ticket.cities.join(" ")).split(/[^\p{L}\p{N}]+/u);
    return wanted.every((word) => words.some((other) => other.startsWith(word)));
  });
  return found.sort((one, other) => ticketName(one).localeCompare(ticketName(other)));
}
