// Whose turn it probably is, which anybody may correct, and that the last turns have begun.

import { get, post, put } from "../shared/api.js";
import { button, car, fill, h, icon } from "../shared/dom.js";
import { nameOf, nameOfSeat } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { announce, attempt, openSheet } from "../shared/sheets.js";
import { mayChange, me, now, seated, watch } from "../shared/state.js";
import { list, say, sayCount } from "../shared/words.js";
import { whenAtRest } from "./motion.js";

/** Say whose turn it probably is; who plays taps it to say better. */
export function showTurn(place) {
  watch((state, you) => [state.game.likely_turn, state.game.ended, state.table.joining, state.table.reminder, state.players, you, state.cards, state.game.turn_doubt], ([seat, ended, joining, reminder, , , isDealt, guessed], before) => {
    const doubt = isDealt ? earlyClaim(isDealt) : guessed;
    const player = ended || joining ? null : seated(isDealt && doubt ? doubt.missed[0] : seat);
    // Where the program deals it is no guess, and said with the cards.
    place.hidden = !player || (isDealt && reminder !== seat && !doubt);
    if (place.hidden) return;
    if (before && reminder && reminder === me().seat && before[3] !== reminder) navigator.vibrate?.(SHORT_MS); // whatever the phone allows
    const guess = [car(paintOf(player.colour)), h("span", {}, say("turn.likely", { name: nameOf(player) }))];
    const note = reminder === seat ? h("p", { class: "soft turn-note", role: "status" }, say("turn.reminder", { name: nameOf(player) })) : null;
    fill(place, note, doubt ? doubtLine(doubt) : null, isDealt ? null : mayChange()
      ? button("turn", [guess, h("span", { class: "soft" }, say("turn.not_so"))], openTurn, { class: "turn", "aria-haspopup": "dialog" })
      : h("p", { class: "turn" }, guess));
  });
}

/** Return the claim of somebody whose turn it is not, where the program knows whose it is. */
function earlyClaim({ turn, unpaid }) {
  const early = unpaid.filter(({ seat }) => turn && seat && seat !== turn).at(-1);
  return early && { ...early, missed: [turn], is_certain: true };
}

/** Say quietly that somebody claimed out of turn: who draws leaves no trace, so it may be all right. */
function doubtLine({ seat, spot, missed, is_twice: isTwice, is_certain: isCertain }) {
  const values = { name: nameOfSeat(seat), others: list(missed.map(nameOfSeat)) };
  const text = say(isCertain ? "turn.early" : isTwice ? "turn.twice" : "turn.passed", values);
  const drew = () => mark(seatAfter(seat));
  const mend = async () => (await import("../shared/route_sheets.js")).openSpot(spot);
  return h("div", { class: "turn-doubt" }, h("p", { class: "soft turn-note", role: "status" }, text), mayChange() ? h("p", { class: "turn-ways" },
    isCertain ? null : button("turn-drew", say("turn.drew", values), drew, { class: "quiet" }),
    button("turn-mistake", say("turn.mistake", values), mend, { class: "quiet" })) : null);
}

/** Return the player whose turn follows a seat's. */
function seatAfter(seat) {
  const { players } = now();
  const at = players.findIndex((player) => player.seat === seat);
  return [...players.slice(at + 1), ...players.slice(0, at + 1)].find((player) => !player.has_left);
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

const mark = (player) => attempt(() => post("/turn", { seat: player.seat }), say("turn.marked", { name: nameOf(player) }));

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
