// The cards of one seat as this phone may know them: asked for with every move, and forgotten when nobody looks.

import { get, getPatiently, post } from "../shared/api.js";
import { spotParts } from "../shared/names.js";
import { attempt } from "../shared/sheets.js";
import { now, watch } from "../shared/state.js";

/**
 * Follow the cards of a seat: the own ones where `isOwn`, else those that the host's phone keeps for who has none.
 *
 * `onChange()` is called when something is known anew. `view()` is what the server says, null while it says nothing,
 * and `fresh()` the cards that came into the hand in this turn.
 */
export function followCards(seat, isOwn, onChange) {
  const path = isOwn ? "/cards" : `/players/${seat}/cards`;
  let view = null;
  let fresh = [];
  let wanted = 0;
  let asking = null;
  let isOver = false;

  async function ask() {
    let asked;
    do {
      asked = wanted;
      const next = await getPatiently(path, () => isOver).catch(() => null);
      if (isOver) return;
      // A page that was opened anew in the middle of a turn knows what was drawn from the server alone.
      if (next && !view) fresh = next.drawn ?? [];
      view = next;
    } while (asked !== wanted);
  }

  async function refresh() {
    wanted += 1;
    await (asking ??= ask().finally(() => (asking = null)));
    if (!isOver) onChange();
  }

  /** Play a move, a draw with the `card` that was seen; gives back whether it was taken. */
  async function move(body, done = "", card = undefined) {
    const before = view?.hand ?? {};
    const isSecond = view?.drawn?.length > 0;
    const answer = await attempt(() => post(`${path}/moves`, { move: body, card }), done);
    await refresh();
    if (answer && body.move === "draw_card") fresh = [...(isSecond ? fresh : []), ...more(before, view?.hand ?? {})];
    else if (answer) fresh = [];
    onChange();
    return answer !== null;
  }

  const stop = watch((state) => [state.cards, state.spots, state.game.ended, state.game.paused], () => now().cards && refresh());
  return {
    seat,
    isOwn,
    view: () => view,
    fresh: () => fresh,
    putAway: () => ((fresh = []), onChange()),
    move,
    refresh,
    payments: (spot) => {
      const [kind, id] = spotParts(spot);
      return attempt(() => get(`${path}/payments?kind=${kind}&about=${encodeURIComponent(id)}`));
    },
    stop: () => {
      isOver = true;
      stop();
      view = null;
      fresh = [];
    },
  };
}

/** Return the cards that one hand has more than another. */
function more(before, after) {
  return Object.keys(after).flatMap((card) => Array(Math.max(0, after[card] - (before[card] ?? 0))).fill(card));
}
