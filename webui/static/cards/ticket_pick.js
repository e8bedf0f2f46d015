// Finding a ticket of the deck: type a few letters of one city, or of both.

import { fill, h } from "../shared/dom.js";
import { announce, openSheet } from "../shared/sheets.js";
import { number, say, sayCount } from "../shared/words.js";
import { saveDeck, theDeck } from "./deck.js";
import { keyOf, matching, ticketName } from "./find.js";
import { theGame } from "./game.js";
import { attempt } from "./tell.js";
import { openTicketForm } from "./ticket_form.js";

const MOST = 40;

/** Open the search; `keep(ticket)` gives one to the player. */
export function openTicketPick(keep) {
  const results = h("ul", { class: "plain results" });
  const input = h("input", { type: "search", id: "ticket-search", autocomplete: "off", autocapitalize: "off", spellcheck: "false", on: { input: () => show() } });
  const show = () => {
    const taken = heldByAnyone();
    const found = matching(theDeck().tickets, input.value).filter((ticket) => !taken.has(keyOf(ticket)));
    announce(sayCount("cards.found", found.length));
    fill(results, found.slice(0, MOST).map((ticket) => h("li", {},
      h("button", { type: "button", class: "result", "data-key": keyOf(ticket), on: { click: () => (keep(ticket), (input.value = ""), show(), input.focus()) } },
        h("span", {}, ticketName(ticket)), h("span", { class: "sum" }, number(ticket.points))))),
      found.length ? null : h("li", { class: "soft" }, say("cards.not_found")));
  };
  const own = () => openTicketForm(say("cards.ticket_new"), null, async (ticket) => {
    // Into the deck too, where this phone may: typed once.
    if (theDeck().is_here && !(await attempt(() => saveDeck({ tickets: [...theDeck().tickets, ticket] }).then(() => true)))) return false;
    keep(ticket);
    show();
    return true;
  });
  openSheet(say("cards.ticket_add"), () => [
    theDeck().tickets.length ? [h("label", { for: "ticket-search" }, say("cards.search")), input, results] : h("p", { class: "soft" }, say("cards.deck_empty")),
    h("button", { type: "button", class: "wide", "data-key": "own-ticket", on: { click: own } }, say("cards.ticket_type")),
  ], { name: "tall" });
  show();
  input.focus();
}

function heldByAnyone() {
  const { tickets = {}, completed = {} } = theGame().game;
  return new Set([...Object.values(tickets), ...Object.values(completed)].flat().map(keyOf));
}
