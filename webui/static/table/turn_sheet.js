// What is fetched where a turn is not as it was guessed: a claim that seems out of turn, and the sheet in which somebody says whose turn it is.

import { get, put } from "../shared/api.js";
import { button, car, fill, h } from "../shared/dom.js";
import { nameOf, nameOfSeat } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { openSpot } from "../shared/route_sheets.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { mayChange, me, now, watch } from "../shared/state.js";
import { list, say, sayCount } from "../shared/words.js";
import { mark } from "./turns.js";

/** Say quietly, before what says whose turn it is, that somebody claimed out of turn: who draws leaves no trace, so it may be all right. */
export function showTurnDoubt(turn) {
  const place = h("div", { id: "turn-doubt", hidden: true });
  turn.before(place);
  watch((state, you) => [state.game.turn_doubt, state.game.ended, state.cards, state.players, you.role], ([guessed, ended, cards]) => {
    const doubt = ended ? null : cards ? earlyClaim(cards) : guessed;
    place.hidden = !doubt;
    fill(place, doubt ? line(doubt) : null);
  });
}

/** Return the claim of somebody whose turn it is not, where the program knows whose it is. */
function earlyClaim({ turn, unpaid }) {
  const early = unpaid.filter(({ seat }) => turn && seat && seat !== turn).at(-1);
  return early && { ...early, missed: [turn], is_certain: true };
}

function line({ seat, spot, missed, is_twice: isTwice, is_certain: isCertain }) {
  const values = { name: nameOfSeat(seat), others: list(missed.map(nameOfSeat)) };
  const text = say(isCertain ? "turn.early" : isTwice ? "turn.twice" : "turn.passed", values);
  return [h("p", { class: "soft turn-note", role: "status" }, text), mayChange() ? h("p", { class: "turn-ways" },
    isCertain ? null : button("turn-drew", say("turn.drew", values), () => mark(playerAfter(seat)), { class: "quiet" }),
    button("turn-mistake", say("turn.mistake", values), () => openSpot(spot), { class: "quiet" })) : null];
}

/** Return the player whose turn follows a seat's. */
function playerAfter(seat) {
  const { players } = now();
  const at = players.findIndex((player) => player.seat === seat);
  return [...players.slice(at + 1), ...players.slice(0, at + 1)].find((player) => !player.has_left);
}

/** Let somebody say whose turn it is. */
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
