// How a game went: how everyone stood at each of its moments, of a past game and of one that goes on.

import { get } from "./api.js";
import { merged, now, watch } from "./state.js";

/** Return for every event what it was, and all that everyone saw then: `players` and `spots`. */
export function momentsOf({ start, moments }) {
  let seen = start;
  return moments.map(({ change, ...event }) => {
    seen = merged(seen, change);
    return { ...event, ...seen };
  });
}

const COUNTS = ["points", "trains_left", "longest_path"];

/** Follow the running game: `show(players, moments)` now and whenever somebody stands otherwise; gives what stops it. */
export async function followCourse(show) {
  const { id } = now().game;
  const told = await get(`/games/${id}/moments`).then(momentsOf, () => []); // then it is told from here on
  return watch((state) => [state.players], ([players]) => {
    const moment = { at_s: Date.now() / 1000, kind: "", fact: {}, ...now().log.at(-1), players: Object.fromEntries(players.map((player) => [player.seat, player])) };
    if (!isSame(told.at(-1), moment)) told.push(moment);
    show(players, told);
  });
}

function isSame(one, other) {
  return one && Object.entries(other.players).every(([seat, player]) => COUNTS.every((name) => one.players[seat]?.[name] === player[name]));
}
