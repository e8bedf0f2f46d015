// The board: everyone's trains; a claim that comes is lit up for a while, what is counted while it is, and else the longest path.

import { countedAt, followCounting } from "../shared/counting.js";
import { draw, lightUp, showNames, writeNames } from "../shared/board_drawing.js";
import { spotOfFact } from "../shared/log_words.js";
import { now, watch } from "../shared/state.js";
import { say } from "../shared/words.js";

const NAME_MM = 13;
const SHOWN_MS = 8000;

let over = null;
let isCounting = false;

/** Show the board in its place. */
export async function showBoard(place) {
  await draw({ class: "board rs-map has-letters", role: "img", "aria-label": say("screen.board") }, (svg) => place.append(svg));
  showNames(writeNames(NAME_MM));
  watch((state) => [state.players], ([players]) => over === null && !isCounting && rest(players));
  followCounting((n) => {
    if (n !== null) lightUp(countedAt(n).routes);
    else if (isCounting) rest(now().players);
    isCounting = n !== null;
  });
  watch((state) => [state.log, state.players], ([log, players], before) => before && before[0] !== log && light(log, players));
}

function light(log, players) {
  const newest = log.at(-1);
  const spot = newest.kind.endsWith("_claimed") && !newest.is_undone ? spotOfFact(newest.fact) : null;
  if (!spot?.startsWith("route:")) return;
  clearTimeout(over);
  lightUp([spot.slice("route:".length)]);
  over = setTimeout(() => {
    over = null;
    rest(players);
  }, SHOWN_MS);
}

function rest(players) {
  lightUp(players.filter((player) => player.holds_longest).flatMap((player) => player.path_routes), false);
}
