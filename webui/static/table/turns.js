// Whose turn it probably is, which anybody may correct, and that the last turns have begun.

import { post } from "../shared/api.js";
import { attempt } from "../shared/attempts.js";
import { car, fill, h } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { announce, openSheet } from "../shared/sheets.js";
import { mayChange, now, seated, watch } from "../shared/state.js";
import { say } from "../shared/words.js";
import { whenAtRest } from "./rest.js";

/** Say whose turn it probably is; who plays taps it to say better. */
export function showTurn(place) {
  watch((state, you) => [state.game.likely_turn, state.game.ended, state.table.joining, state.players, you], (seat, ended, joining) => {
    const player = ended || joining ? null : seated(seat);
    place.hidden = !player;
    if (!player) return;
    const guess = [car(paintOf(player.colour)), h("span", {}, say("turn.likely", { name: nameOf(player) }))];
    fill(place, mayChange()
      ? h("button", { type: "button", class: "turn", "data-key": "turn", "aria-haspopup": "dialog", on: { click: openTurn } }, guess, h("span", { class: "soft" }, say("turn.not_so")))
      : h("p", { class: "turn" }, guess));
  });
}

function openTurn() {
  openSheet(say("turn.title"), (sheet) => [
    h("p", { class: "soft" }, say("turn.text")),
    h("div", { class: "choices" }, now().players.filter((player) => !player.has_left).map((player) =>
      h("button", { type: "button", class: "choice", "data-key": `turn-${player.seat}`, "aria-pressed": String(player.seat === now().game.likely_turn), on: { click: () => (sheet.close(), mark(player)) } },
        car(paintOf(player.colour)), h("span", {}, nameOf(player))))),
  ]);
}

const mark = (player) => attempt(() => post("/turn", { seat: player.seat }), say("turn.marked", { name: nameOf(player) }));

/** Say in a large line that the last turns have begun, or that somebody wins. */
export function showLastTurns(place) {
  const draw = () => {
    const { last_turns_by: seat, ended } = now().game;
    const by = ended ? null : seated(seat);
    if (by && place.hidden) announce(say("last_turns.said", { name: nameOf(by) }));
    place.hidden = !by;
    if (by) fill(place, h("strong", {}, say("last_turns.title")), h("span", {}, say("last_turns.by", { name: nameOf(by) })));
  };
  watch((state) => [state.game.last_turns_by, state.game.ended, state.players], () => whenAtRest(draw));
}
