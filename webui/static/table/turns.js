// Whose turn it probably is, which anybody may correct.

import { post } from "../shared/api.js";
import { button, car, fill, h } from "../shared/dom.js";
import { nameOf, nameOfSeat } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { attempt } from "../shared/sheets.js";
import { mayChange, me, now, seated, watch } from "../shared/state.js";
import { list, say, withWords } from "../shared/words.js";

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

/** Few know better: the choice is fetched for who does. */
async function openTurn() {
  (await withWords("turn", import("./turn_sheet.js"))).openTurn();
}

const SHORT_MS = 80;

/** Say whose turn it is. */
export const mark = (player) => attempt(() => post("/turn", { seat: player.seat }), say("turn.marked", { name: nameOf(player) }));
