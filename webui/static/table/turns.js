// Whose turn it probably is, which anybody may correct.

import { post } from "../shared/api.js";
import { button, car, fill, h } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { attempt } from "../shared/sheets.js";
import { mayChange, me, seated, watch } from "../shared/state.js";
import { say, withWords } from "../shared/words.js";

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

/** Few know better: the choice is fetched for who does. */
async function openTurn() {
  (await withWords("turn", import("./turn_sheet.js"))).openTurn();
}

const SHORT_MS = 80;

/** Say whose turn it is. */
export const mark = (player) => attempt(() => post("/turn", { seat: player.seat }), say("turn.marked", { name: nameOf(player) }));
