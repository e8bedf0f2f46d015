// Saying whose turn it is, and after how long a turn people are reminded of it.

import { get, put } from "../shared/api.js";
import { button, car, fill, h } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { me, now } from "../shared/state.js";
import { say, sayCount } from "../shared/words.js";
import { mark } from "./turns.js";

/** Let somebody say it. */
export function openTurn() {
  openSheet(say("turn.title"), (sheet) => [
    h("p", { class: "soft" }, say("turn.text")),
    h("div", { class: "choices" }, now().players.filter((player) => !player.has_left).map((player) =>
      button(`turn-${player.seat}`, [
        car(paintOf(player.colour)), h("span", {}, nameOf(player)),
      ], () => (sheet.close(), mark(player)), { class: "choice", "aria-pressed": String(player.seat === now().game.likely_turn) }))),
    me().is_host ? reminderChoice() : null,
  ]);
}

const MINUTES = [0, 2, 3, 5, 10];

/** After so many minutes of one turn the page reminds; only the host sees the choice. */
export function reminderChoice() {
  const select = h("select", { id: "reminder", "data-key": "reminder", on: { change: () => attempt(() => put("/reminder", { minutes: Number(select.value) }), say("turn.reminder_kept")) } });
  const offer = (minutes) => h("option", { value: minutes, selected: minutes === select.chosen }, minutes ? sayCount("turn.reminder_after", minutes) : say("turn.reminder_off"));
  get("/reminder").then(({ minutes }) => {
    select.chosen = minutes;
    fill(select, [...new Set([...MINUTES, minutes])].sort((a, b) => a - b).map(offer));
  }, () => {});
  return h("p", { class: "switch" }, h("label", { for: "reminder" }, say("turn.reminder_label")), select);
}
