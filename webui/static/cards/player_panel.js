// One player: the cards on the track, the tickets, and which of them are completed.

import { button, h, icon } from "../shared/dom.js";
import { toast } from "../shared/sheets.js";
import { chips } from "../shared/train_cards.js";
import { number, say, sayCount } from "../shared/words.js";
import { ticketName } from "./deck.js";
import { openTicketPick } from "./deck_sheets.js";
import { hold, holdingOf, isSaved, theGame } from "./game.js";
import { counters } from "./counters.js";

export const nameOf = (player, word) => player.name || word;

/** Return everything of one player. */
export function playerPanel(colour, name) {
  const { stack, tickets } = holdingOf(colour);
  return h("section", { class: "card player-panel", "aria-label": name },
    h("h2", { tabindex: "-1" }, say("cards.track_of", { name })),
    counters(stack, (next) => hold(colour, { stack: next })),
    h("h3", {}, say("cards.tickets")),
    ticketList(colour, tickets),
    button("ticket-add", [icon("plus"), say("cards.ticket_add")], () => openTicketPick((ticket) => add(colour, ticket)), { class: "primary wide" }));
}

function add(colour, ticket) {
  const { tickets } = holdingOf(colour);
  hold(colour, { tickets: [...tickets, ticket], chosen: null });
}

function ticketList(colour, tickets) {
  if (!tickets.length) return h("p", { class: "soft" }, say("cards.no_tickets"));
  const { chosen } = holdingOf(colour);
  const done = new Set(chosen ?? theGame().completed[colour] ?? []);
  const isWrong = chosen !== null && isSaved() && theGame().answer.problems.some(({ kind, colours }) => kind === "one_ticket_a_card" && colours.includes(colour));
  const isOpen = theGame().answer.players.some((player) => player.colour === colour && player.lines.some(({ kind }) => kind === "tickets_undecided"));
  return [
    h("ul", { class: "plain tickets" }, tickets.map((ticket, i) => item(colour, tickets, ticket, i, done))),
    isWrong ? h("p", { class: "trouble-text", role: "status" }, say("cards.not_paid")) : null,
    h("p", { class: "soft" }, say(chosen !== null ? "cards.own_is_counted" : isOpen ? "cards.choose_counted" : "cards.best_is_counted")),
    isOpen && chosen === null ? button("choose", say("cards.choose_these"), () => hold(colour, { chosen: [...done].sort((a, b) => a - b) }), { class: "wide" }) : null,
    chosen === null ? null : button("best", say("cards.best_again"), () => hold(colour, { chosen: null }), { class: "wide" }),
  ];
}

function item(colour, tickets, ticket, i, done) {
  const isDone = done.has(i);
  const name = ticketName(ticket);
  const swap = () => hold(colour, { chosen: isDone ? [...done].filter((one) => one !== i) : [...done, i].sort((a, b) => a - b) });
  const drop = () => {
    hold(colour, { tickets: tickets.filter((_, j) => j !== i), chosen: null });
    toast(say("cards.ticket_dropped", { ticket: name }), { undo: () => add(colour, ticket) });
  };
  return h("li", { class: `ticket ${isDone ? "ticket-done" : ""}` },
    h("span", { class: "ticket-points", "aria-label": sayCount("cards.points_n", ticket.points) }, number(ticket.points)),
    h("div", { class: "ticket-main" }, h("p", { class: "ticket-name" }, name), chips(ticket.circles),
      button(`counts-${i}`, [icon(isDone ? "check" : "cross"), isDone ? say("cards.completed") : say("cards.not_completed")], swap, { class: "counts", "aria-pressed": String(isDone), "aria-label": say("cards.counts_of", { ticket: name }) })),
    h("div", { class: "ticket-acts" }, button(`drop-${i}`, icon("bin"), drop, { "aria-label": say("cards.ticket_drop", { ticket: name }) })));
}
