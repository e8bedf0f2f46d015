// Where points come from, in the page's words: a line of a score has a kind and what it tells of.

import { number, say, sayCount } from "./words.js";

/** Return the words for a line of a player's score: those of its kind among the keys of a prefix. */
export function lineText({ kind, values }, prefix = "line") {
  if (kind === "stations") return sayCount(`${prefix}.${kind}`, values.n);
  const shown = Object.entries(values).map(([name, value]) => [name, typeof value === "number" ? number(value) : value.replaceAll(" - ", " – ")]);
  return say(`${prefix}.${kind}`, Object.fromEntries(shown));
}

/** Tell whether a line is of a route, a ticket, or a bonus of the end. */
export function lineGroup({ kind }) {
  if (kind === "route") return "route";
  return kind.startsWith("ticket_") ? "ticket" : "bonus";
}
