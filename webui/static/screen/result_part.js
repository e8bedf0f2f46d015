// The end of the game: who has shown tickets so far, and once the points are counted who has won and why.

import { car, fill, h } from "../shared/dom.js";
import { scoreTable, winnerText } from "../shared/final_score.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { watch } from "../shared/state.js";
import { say, sayCount } from "../shared/words.js";

/** Show it where the scores stood before. */
export function showResult(place) {
  watch((state) => [state.game.ended, state.game.counted, state.players, state.problems], ([ended, counted, players]) => {
    place.hidden = !ended;
    if (ended) fill(place, counted ? result(players) : before(players));
  });
}

function result(players) {
  const { title, reason } = winnerText(players);
  return [h("h2", { class: "rs-winner" }, title), h("p", { class: "rs-reason" }, reason), scoreTable(players)];
}

/** Return what stands there until somebody counts: no ranking, for nobody has won yet. */
function before(players) {
  return [h("p", { class: "rs-reason" }, say("ending.text")), h("ul", { class: "rs-shown plain" }, players.map((player) =>
    h("li", { class: "rs-claim", "data-colour": player.colour }, h("span", { class: "rs-car" }, car(paintOf(player.colour))), h("span", { class: "rs-what" }, nameOf(player)),
      h("span", {}, player.tickets.length ? sayCount("ending.shown", player.tickets.length) : say("ending.none_shown")))))];
}
