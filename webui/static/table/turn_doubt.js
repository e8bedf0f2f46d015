// That somebody claimed out of turn, in a quiet line: who draws leaves no trace, so it may be all right.

import { button, fill, h } from "../shared/dom.js";
import { nameOfSeat } from "../shared/names.js";
import { openSpot } from "../shared/route_sheets.js";
import { mayChange, now, watch } from "../shared/state.js";
import { list, say } from "../shared/words.js";
import { mark } from "./turns.js";

/** Say it before what says whose turn it is. */
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
