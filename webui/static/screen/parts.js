// What stands beside the board: everyone's score, whose turn it is, the longest path, the last claims, the points over time.

import { lineChart } from "../shared/charts.js";
import { followCourse } from "../shared/course.js";
import { car, fill, h } from "../shared/dom.js";
import { problemText } from "../shared/final_score.js";
import { colourOfFact, eventText, spotOfFact } from "../shared/log_words.js";
import { nameOf, pieceKeys, routePoints, spotParts } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { playersInOrder, seated, watch } from "../shared/state.js";
import { list, number, pathLength, say, sayCount, signed } from "../shared/words.js";

const MOST_CLAIMS = 3;
const MANY = 5; // more, with who has left, have smaller letters
const NEW_MS = 8000;
const CLAIMS = /^(route|site)_claimed$|^station_built$|^(claim|station|site)_corrected$/;

const title = (key) => h("h2", { class: "rs-title" }, say(key));
const carOf = (colour) => h("span", { class: "rs-car" }, car(paintOf(colour)));

/** Everyone's score, most points first. */
export function showScores(place) {
  const items = h("ol", { class: "rs-players plain", "aria-label": say("players.label") });
  const wrong = h("p", { class: "rs-notice rs-bad", role: "status" });
  place.append(items, wrong);
  watch((state) => [state.problems], () => {
    wrong.textContent = problemText();
    wrong.hidden = !wrong.textContent;
  });
  watch((state) => [state.players, state.game.ended, turnOf(state)], ([players, ended, turn]) => {
    const order = playersInOrder(players);
    items.classList.toggle("rs-many", order.length > MANY);
    fill(items, order.map((player) => scoreOf(player, ended ? null : turn)));
  });
}

function scoreOf(player, turn) {
  const { paint } = paintOf(player.colour);
  const gauge = h("span", { class: "rs-gauge", "aria-hidden": "true" }, h("span", {}));
  gauge.style.setProperty("--rs-paint", paint);
  gauge.firstChild.style.width = `${(100 * Math.max(0, player.trains_left)) / player.trains}%`;
  const is = { "rs-turn-now": player.seat === turn, "rs-low": player.trains_left <= 5, "rs-gone": player.has_left };
  return h("li", { class: ["rs-player", ...Object.keys(is).filter((name) => is[name])].join(" "), "data-colour": player.colour, "data-place": player.place },
    carOf(player.colour),
    h("span", { class: "rs-name" }, nameOf(player)),
    h("strong", { class: "rs-points" }, number(player.points)),
    h("span", { class: "rs-facts" }, gauge, h("span", { class: "rs-trains" }, sayCount(pieceKeys().left, player.trains_left)),
      player.holds_longest ? h("span", { class: "rs-longest" }, say("tag.longest")) : null));
}

/** Return whose turn it is: the program's own word where it deals the cards, else a guess. */
const turnOf = ({ game, cards }) => (cards ? cards.turn : game.likely_turn);

/** Whose turn it is; nothing where nobody knows. */
export function showTurn(place) {
  watch((state) => [turnOf(state), Boolean(state.cards), state.game.ended, state.table.joining, state.players], ([seat, isSure, ended, joining]) => {
    const player = ended || joining ? null : seated(seat);
    place.hidden = !player;
    if (player) fill(place, carOf(player.colour), h("span", {}, say(isSure ? "log.turn" : "turn.likely", { name: nameOf(player) })));
  });
}

/** Who has the longest path, and how long it is; nothing where the edition gives nothing for it. */
export function showPath(place) {
  watch((state) => [state.players, state.game.longest_path_bonus], ([players, bonus]) => {
    const holders = players.filter((player) => player.holds_longest && player.longest_path_at_most > 0);
    place.hidden = !bonus;
    fill(place, title("screen.path"), h("p", { class: "rs-path-of" }, holders.map((player) => carOf(player.colour)), h("span", {}, holders.length
      ? say("screen.path_of", { names: list(holders.map(nameOf)), n: pathLength(holders[0]) })
      : say("screen.nobody"))));
  });
}

/** The last claims, the newest first. */
export function showLast(place) {
  const items = h("ol", { class: "rs-claims plain" });
  place.append(title("screen.last"), items);
  watch((state) => [state.log, state.players], ([log], before) => {
    const claims = log.filter((event) => CLAIMS.test(event.kind) && !event.is_undone).slice(-MOST_CLAIMS).reverse();
    const known = new Set(before?.[0].map((event) => event.seq) ?? log.map((event) => event.seq));
    fill(items, claims.length ? claims.map((event) => claimOf(event, !known.has(event.seq))) : h("li", { class: "rs-claim" }, say("screen.nothing")));
    setTimeout(() => items.querySelectorAll(".rs-new").forEach((one) => one.classList.remove("rs-new")), NEW_MS);
  });
}

function claimOf(event, isNew) {
  const colour = colourOfFact(event.fact);
  const [kind, id] = spotParts(spotOfFact(event.fact) ?? ":");
  const points = kind === "route" ? routePoints(id, colour) : null;
  return h("li", { class: isNew ? "rs-claim rs-new" : "rs-claim", "data-colour": colour }, colour ? carOf(colour) : null,
    h("span", { class: "rs-what" }, eventText(event)),
    points === null ? null : h("strong", { class: "rs-gain" }, signed(points)));
}

/** How the points grew. */
export async function showChart(place) {
  const frame = h("div", { class: "rs-chart-frame" });
  place.append(title("charts.points"), frame);
  let chart = null;
  await followCourse((players, moments) => {
    if (chart) chart.update(players, moments);
    else chart = lineChart(frame, "points", players, moments, { isBare: true });
  });
}
