// Whose turn it probably is, which anybody may correct, and that the last turns have begun.

import { get, post, put } from "../shared/api.js";
import { button, car, fill, h, icon } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { announce, attempt, openSheet } from "../shared/sheets.js";
import { mayChange, me, now, seated, watch } from "../shared/state.js";
import { say, sayCount } from "../shared/words.js";
import { whenAtRest } from "./motion.js";

/** Say whose turn it probably is; who plays taps it to say better. */
export function showTurn(place) {
  watch((state, you) => [state.game.likely_turn, state.game.ended, state.table.joining, state.table.reminder, state.players, you, state.cards], ([seat, ended, joining, reminder, , , isDealt], before) => {
    const player = ended || joining ? null : seated(seat);
    // Where the program deals it is no guess, and said with the cards.
    place.hidden = !player || (isDealt && reminder !== seat);
    if (place.hidden) return;
    if (before && reminder && reminder === me().seat && before[3] !== reminder) navigator.vibrate?.(SHORT_MS); // whatever the phone allows
    const guess = [car(paintOf(player.colour)), h("span", {}, say("turn.likely", { name: nameOf(player) }))];
    const note = reminder === seat ? h("p", { class: "soft turn-note", role: "status" }, say("turn.reminder", { name: nameOf(player) })) : null;
    fill(place, note, isDealt ? null : mayChange()
      ? button("turn", [guess, h("span", { class: "soft" }, say("turn.not_so"))], openTurn, { class: "turn", "aria-haspopup": "dialog" })
      : h("p", { class: "turn" }, guess));
  });
}

function openTurn() {
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
const SHORT_MS = 80;

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

/** Say whose turn it is. */
export const mark = (player) => attempt(() => post("/turn", { seat: player.seat }), say("turn.marked", { name: nameOf(player) }));

/** Say in a large line that the last turns have begun, and offer the end: it is red once the very last turn was seen. */
export function showLastTurns(place, foot) {
  const draw = () => {
    const { last_turns_by: seat, ended } = now().game;
    const by = ended ? null : seated(seat);
    if (by && place.hidden) announce(say("last_turns.said", { name: nameOf(by) }));
    place.hidden = !by;
    foot.hidden = !by || Boolean(now().cards) || !mayChange();
    if (!by) return;
    const end = () => attempt(() => post("/end"), say("end.done"));
    fill(place, h("strong", {}, say("last_turns.title")), h("span", {}, say("last_turns.by", { name: nameOf(by) })));
    fill(foot, button("all-played", [icon("flag"), say("end.button")], end, { class: hasPlayed(by) ? "primary wide" : "wide" }));
  };
  watch((state, you) => [state.game.last_turns_by, state.game.ended, state.players, state.log, you, state.cards], () => whenAtRest(draw));
}

/** Tell whether a player was seen to have the last turn: drawing cards leaves no trace. */
export function hasPlayed({ colour }) {
  const { log, game } = now();
  const begun = log.findLastIndex?.((event) => event.kind === "last_turns_begun" && !event.is_undone) ?? -1;
  return Boolean(game.last_turns_by) && begun >= 0 && log.slice(begun + 1).some((event) => /_(claimed|built)$/.test(event.kind) && !event.is_undone && event.fact.colour === colour);
}
