// The end of the game: who has shown tickets so far, the counting step by step, and then who has won and why.

import { countedAt, followCounting, inOrderOf } from "../shared/counting.js";
import { car, fill, h } from "../shared/dom.js";
import { scoreTable, winnerText } from "../shared/final_score.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { now, watch } from "../shared/state.js";
import { number, say, sayCount, signed } from "../shared/words.js";

/** Show it where the scores stood before. */
export function showResult(place) {
  let step = null;
  const draw = () => {
    const { game, phase, players } = now();
    place.hidden = !game.ended;
    if (game.ended) fill(place, phase === "winner" ? result(players) : phase === "counting" ? counted(step ?? 0) : before(players));
  };
  followCounting((n) => {
    step = n;
    draw();
  });
  watch((state) => [state.phase, state.game.ended, state.players, state.problems], draw);
}

/** Return everyone's points up to a step, most first, and what is being counted. */
function counted(n) {
  const { totals, gained, player, line, words } = countedAt(n);
  return [h("h2", { class: "rs-title" }, say("ceremony.title")), h("p", { class: "rs-reason" }, words),
    h("ol", { class: "rs-counted plain" }, inOrderOf(totals).map((one) => {
      const isNow = one.seat === player?.seat;
      const sum = isNow ? line.points : gained.get(one.seat);
      return h("li", { class: isNow ? "rs-claim rs-new" : "rs-claim", "data-colour": one.colour }, carOf(one), h("span", { class: "rs-what" }, nameOf(one)),
        sum === undefined ? null : h("span", { class: "rs-gain" }, signed(sum)), h("strong", { class: "rs-points" }, number(totals.get(one.seat))));
    }))];
}

function result(players) {
  const { title, reason } = winnerText(players);
  return [h("h2", { class: "rs-winner" }, title), h("p", { class: "rs-reason" }, reason), scoreTable(players)];
}

const carOf = (player) => h("span", { class: "rs-car" }, car(paintOf(player.colour)));

/** Return what stands there until somebody counts: no ranking, for nobody has won yet. */
function before(players) {
  return [h("p", { class: "rs-reason" }, say("ending.text")), h("ul", { class: "rs-shown plain" }, players.map((player) =>
    h("li", { class: "rs-claim", "data-colour": player.colour }, carOf(player), h("span", { class: "rs-what" }, nameOf(player)),
      h("span", {}, player.tickets.length ? sayCount("ending.shown", player.tickets.length) : say(player.is_paired ? "ending.looking" : "ending.none_shown")))))];
}
