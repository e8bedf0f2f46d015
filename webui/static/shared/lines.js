// Where points come from, in the page's own words: the rules name their lines in one form each.

import { number, say, sayCount } from "./words.js";

const FORMS = [
  [/^route (.+) - (.+)$/, ([, a, b]) => say("line.route", { a, b })],
  [/^ticket (.+) - (.+), completed$/, ([, a, b]) => say("line.ticket_done", { a, b })],
  [/^ticket (.+) - (.+), not completed$/, ([, a, b]) => say("line.ticket_open", { a, b })],
  [/^longest path, (\d+) \w+$/, ([, n]) => say("line.longest", { n: number(Number(n)) })],
  [/^globetrotter, (\d+)/, ([, n]) => say("line.globetrotter", { n: number(Number(n)) })],
  [/^tourist attraction (.+)$/, ([, place]) => say("line.attraction", { place })],
  [/^(\d+) stations? not built$/, ([, n]) => sayCount("line.stations", Number(n))],
  [/^site (.+), number (\d+)$/, ([, site, n]) => say("line.site", { site, n: number(Number(n)) })],
  [/^a route of each of the (\d+) modes$/, ([, n]) => say("line.modes", { n: number(Number(n)) })],
];

/** Return the words for a line of a player's score. */
export function lineText(line) {
  for (const [form, words] of FORMS) {
    const found = form.exec(line.what);
    if (found) return words(found);
  }
  return line.what;
}

/** Tell of what kind a line is: a route, a ticket, or a bonus of the end. */
export function lineKind(line) {
  if (line.what.startsWith("route ")) return "route";
  return line.what.startsWith("ticket ") ? "ticket" : "bonus";
}
