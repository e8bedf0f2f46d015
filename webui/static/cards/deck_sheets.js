// The whole deck: looked through, mended, added to, taken out as a file.

import { address, post } from "../shared/api.js";
import { button, fill, h, icon, settle } from "../shared/dom.js";
import { announce, openSheet, toast } from "../shared/sheets.js";
import { cardWord, chips, COLOURS, letterOf } from "../shared/train_cards.js";
import { number, say, sayCount } from "../shared/words.js";
import { addToDeck, keyOf, matching, saveDeck, textOf, theDeck, ticketName } from "./deck.js";
import { attempt, faultText } from "./faults.js";
import { theGame } from "./game.js";

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
    button("paste", say("cards.paste_open"), () => openPaste(again)),
    button("new-ticket", [icon("plus"), say("cards.ticket_new")], () => openTicketForm(say("cards.ticket_new"), null, (ticket) => keep({ tickets: [...theDeck().tickets, ticket] }, again))));
}

function item(ticket, mayChange, again) {
  const others = () => theDeck().tickets.filter((one) => keyOf(one) !== keyOf(ticket));
  const mend = () => openTicketForm(ticketName(ticket), ticket, (mended) => keep({ tickets: [...others(), mended] }, again));
  const drop = async () => {
    if (await keep({ tickets: others() }, again)) toast(say("cards.deck_dropped", { ticket: ticketName(ticket) }), { undo: () => keep({ tickets: [...theDeck().tickets, ticket] }, again) });
  };
  const name = ticketName(ticket);
  return h("li", { class: "deck-ticket" },
    h("div", {}, h("p", { class: "ticket-name" }, name), chips(ticket.circles)),
    h("span", { class: "ticket-points", "aria-label": sayCount("cards.points_n", ticket.points) }, number(ticket.points)),
    mayChange ? button(null, "…", mend, { class: "quiet", "aria-label": say("cards.deck_mend", { ticket: name }) }) : null,
    mayChange ? button(null, icon("bin"), drop, { class: "quiet", "aria-label": say("cards.deck_drop", { ticket: name }) }) : null);
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
    mayChange ? button(null, icon("bin"), () => drop(city), { class: "quiet", "aria-label": say("cards.deck_drop", { ticket: city }) }) : null));
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

// A deck from a spreadsheet or a file: pasted, read by the server, then kept whole or not at all.

const EXAMPLE = "Aville\tBeetown\t5\t2 red 1 blue\nCity C\tDale\t9\t3 green 2 pink\nbonus\tAville\t8"; // made up

/** Open the sheet; `done()` when the deck has what was pasted. */
function openPaste(done) {
  const text = h("textarea", { id: "deck-text", rows: 8, spellcheck: "false", autocapitalize: "off", placeholder: EXAMPLE });
  const file = h("input", { type: "file", id: "deck-file", accept: ".json,.csv,.tsv,.txt" });
  const fault = h("p", { class: "trouble-text", role: "alert" });
  const form = h("form", { class: "stack" },
    h("p", { class: "soft" }, say("cards.paste_how")),
    h("label", { for: "deck-text" }, say("cards.paste_label")), text,
    h("label", { for: "deck-file" }, say("cards.paste_file")), file, fault,
    h("button", { type: "submit", class: "primary" }, say("cards.paste_take")));
  const sheet = openSheet(say("cards.paste_title"), () => form);
  file.addEventListener("change", async () => {
    if (file.files[0]) text.value = await textOf(file.files[0]);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    try {
      const fresh = await addToDeck(await post("/card-deck/parse", { text: text.value }));
      sheet.close();
      toast(sayCount("cards.paste_done", fresh));
      done();
    } catch (error) {
      if (error.status === undefined) throw error;
      fault.textContent = faultText(error);
    }
  });
  text.focus();
}

// One ticket as it is printed: its cities, its circles, its points.

/** Open the form, filled with a ticket or empty; `done(ticket)` says whether it was taken. */
function openTicketForm(title, ticket, done) {
  const text = (id, value, isNeeded) => {
    const input = h("input", { type: "text", id, maxlength: 40, required: isNeeded, autocomplete: "off" });
    input.value = value ?? "";
    return input;
  };
  const [a, b] = [text("ticket-a", ticket?.cities[0], true), text("ticket-b", ticket?.cities[1], false)];
  const points = h("input", { type: "number", id: "ticket-points", min: 1, max: 100, required: true, inputmode: "numeric" });
  points.value = ticket?.points ?? "";
  const circles = COLOURS.map((colour) => {
    const input = h("input", { type: "number", id: `circle-${colour}`, min: 0, max: 5, inputmode: "numeric", "data-colour": colour });
    input.value = ticket?.circles[colour] ?? "";
    return h("label", { class: "circle" }, h("span", { class: `chip-card car-${colour}`, "aria-hidden": "true" }, h("b", {}, letterOf(colour))), h("span", { class: "unseen" }, cardWord(colour)), input);
  });
  const missing = h("p", { class: "trouble-text", role: "alert" });
  const form = h("form", { class: "stack" },
    h("label", { for: "ticket-a" }, say("cards.city_one")), a, h("label", { for: "ticket-b" }, say("cards.city_two")), b,
    h("fieldset", { class: "circles" }, h("legend", {}, say("cards.circles")), circles),
    h("label", { for: "ticket-points" }, say("cards.points")), points, missing,
    h("button", { type: "submit", class: "primary" }, say("cards.ticket_keep")));
  const sheet = openSheet(title, () => form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const counts = [...form.querySelectorAll("[data-colour]")].map((input) => [input.dataset.colour, Number(input.value)]).filter(([, n]) => n);
    missing.textContent = counts.length ? "" : say("cards.fault.circles");
    if (!counts.length) return;
    const cities = [a.value.trim(), b.value.trim()].filter(Boolean);
    if (await done({ cities, circles: Object.fromEntries(counts), points: Number(points.value) })) sheet.close();
  });
  a.focus();
}

// Finding a ticket of the deck: type a few letters of one city, or of both.

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
      button(keyOf(ticket), [
        h("span", {}, ticketName(ticket)), h("span", { class: "sum" }, number(ticket.points)),
      ], () => (keep(ticket), (input.value = ""), show(), input.focus()), { class: "result" }))),
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
    button("own-ticket", say("cards.ticket_type"), own, { class: "wide" }),
  ], { name: "tall" });
  show();
  input.focus();
}

function heldByAnyone() {
  const { tickets = {}, completed = {} } = theGame().game;
  return new Set([...Object.values(tickets), ...Object.values(completed)].flat().map(keyOf));
}
