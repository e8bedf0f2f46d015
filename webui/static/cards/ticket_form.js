// One ticket as it is printed: its cities, its circles, its points.

import { h } from "../shared/dom.js";
import { openSheet } from "../shared/sheets.js";
import { say } from "../shared/words.js";
import { cardWord, COLOURS, letterOf } from "./card_paint.js";

/** Open the form, filled with a ticket or empty; `done(ticket)` says whether it was taken. */
export function openTicketForm(title, ticket, done) {
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
