// The whole deck: looked through, mended, added to, taken out as a file.

import { address } from "../shared/api.js";
import { fill, h, icon, settle } from "../shared/dom.js";
import { openSheet } from "../shared/sheets.js";
import { number, say, sayCount } from "../shared/words.js";
import { chips } from "./card_paint.js";
import { saveDeck, theDeck } from "./deck.js";
import { keyOf, matching, ticketName } from "./find.js";
import { openPaste } from "./paste_sheet.js";
import { attempt, tell } from "./tell.js";
import { openTicketForm } from "./ticket_form.js";

/** Open the deck; `changed()` when it has become another. */
export function openDeckSheet(changed) {
  const list = h("ul", { class: "plain deck-list" });
  const input = h("input", { type: "search", id: "deck-search", "data-key": "deck-search", autocomplete: "off", spellcheck: "false", on: { input: () => show() } });
  const mayChange = theDeck().is_here;
  const show = () => {
    fill(list, matching(theDeck().tickets, input.value).map((ticket) => item(ticket, mayChange, again)));
    changed();
  };
  const again = () => (sheet.refresh(), show());
  const sheet = openSheet(say("cards.deck_title"), () => [
    h("p", { class: "soft" }, sayCount("cards.deck_has", theDeck().tickets.length)),
    mayChange ? tools(again) : h("p", { class: "soft" }, say("cards.deck_not_here")),
    theDeck().tickets.length ? [h("label", { for: "deck-search" }, say("cards.search")), input] : null,
    list,
    bonuses(mayChange, again),
    h("a", { class: "button wide", href: address("/card-deck/export"), download: "" }, say("cards.deck_export")),
  ], { name: "tall" });
  show();
}

function tools(again) {
  return h("div", { class: "choices" },
    h("button", { type: "button", "data-key": "paste", on: { click: () => openPaste(again) } }, say("cards.paste_open")),
    h("button", { type: "button", "data-key": "new-ticket", on: { click: () => openTicketForm(say("cards.ticket_new"), null, (ticket) => keep({ tickets: [...theDeck().tickets, ticket] }, again)) } }, icon("plus"), say("cards.ticket_new")));
}

function item(ticket, mayChange, again) {
  const others = () => theDeck().tickets.filter((one) => keyOf(one) !== keyOf(ticket));
  const mend = () => openTicketForm(ticketName(ticket), ticket, (mended) => keep({ tickets: [...others(), mended] }, again));
  const drop = async () => {
    if (await keep({ tickets: others() }, again)) tell(say("cards.deck_dropped", { ticket: ticketName(ticket) }), { undo: () => keep({ tickets: [...theDeck().tickets, ticket] }, again) });
  };
  const name = ticketName(ticket);
  return h("li", { class: "deck-ticket" },
    h("div", {}, h("p", { class: "ticket-name" }, name), chips(ticket.circles)),
    h("span", { class: "ticket-points", "aria-label": sayCount("cards.points_n", ticket.points) }, number(ticket.points)),
    mayChange ? h("button", { type: "button", class: "quiet", on: { click: mend }, "aria-label": say("cards.deck_mend", { ticket: name }) }, "…") : null,
    mayChange ? h("button", { type: "button", class: "quiet", on: { click: drop }, "aria-label": say("cards.deck_drop", { ticket: name }) }, icon("bin")) : null);
}

async function keep(change, again) {
  const kept = await attempt(() => saveDeck(change).then(() => true));
  if (kept) again();
  return kept === true;
}

/** The Big Cities Bonus cards. */
function bonuses(mayChange, again) {
  const all = theDeck().city_bonuses;
  const save = (city_bonuses) => keep({ city_bonuses }, again);
  const drop = (city) => save(Object.fromEntries(Object.entries(all).filter(([other]) => other !== city)));
  const rows = Object.entries(all).map(([city, points]) => h("li", { class: "line" }, h("span", {}, city), h("span", { class: "sum" }, number(points)),
    mayChange ? h("button", { type: "button", class: "quiet", "aria-label": say("cards.deck_drop", { ticket: city }), on: { click: () => drop(city) } }, icon("bin")) : null));
  return h("section", {}, h("h3", {}, say("cards.bonuses")), h("ul", { class: "plain" }, rows), mayChange ? bonusForm((city, points) => save({ ...all, [city]: points })) : null);
}

function bonusForm(add) {
  const city = h("input", { type: "text", "data-key": "bonus-city", "data-draft": true, maxlength: 40, required: true, autocomplete: "off", "aria-label": say("cards.bonus_city"), placeholder: say("cards.bonus_city") });
  const points = h("input", { type: "number", "data-key": "bonus-points", "data-draft": true, min: 0, max: 200, required: true, inputmode: "numeric", "aria-label": say("cards.points"), placeholder: say("cards.points") });
  const submit = async (event) => {
    event.preventDefault();
    const sent = [city, points].map((field) => [field.dataset.key, field.value]);
    if (!(await add(city.value.trim(), Number(points.value)))) return;
    for (const [key, text] of sent) settle(document.querySelector(`[data-key=${key}]`), text);
  };
  return h("form", { class: "bonus-form", on: { submit } }, city, points, h("button", { type: "submit" }, icon("plus"), h("span", { class: "unseen" }, say("cards.bonus_add"))));
}
