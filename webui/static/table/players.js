// Everyone's score: most points first, gliding when that changes.

import { addition, breathe, button, car, fill, h } from "../shared/dom.js";
import { nameOf, paintWords, pieceKeys } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { me, now, playersInOrder, watch } from "../shared/state.js";
import { number, pathLength, say, sayCount, sentence, withWords } from "../shared/words.js";
import { countTo, glide, isStill, whenAtRest } from "./motion.js";

const rows = new Map();
let list = null;
let items = []; // the rows in their order

/** Show the players in a list and keep it as the game goes. */
export function showPlayers(place) {
  list = h("ol", { class: "players", "aria-label": say("players.label") });
  place.append(list);
  watch((state, you) => [state.players, state.game.likely_turn, state.game.ended, state.phase, state.table?.markers, you.seat, state.cards], ([players]) => show(players));
}

/** Show the rows again when there is more to say in them. */
export const showPlayersAgain = () => show(now().players);

/** Return whose turn it is, with the word for it: a guess, but where the program deals. */
const turnNow = () => addition("turn") ?? { seat: now().game.likely_turn, word: say("tag.turn") };

function show(players) {
  const order = playersInOrder(players);
  const seats = new Set(players.map((player) => player.seat));
  for (const [seat, row] of rows) if (!seats.has(seat)) row.item.remove(), rows.delete(seat);
  for (const player of order) update(player);
  items = order.map((player) => rows.get(player.seat).item);
  const isNew = !list.children.length;
  if (isNew) list.append(...items);
  else breathe().then(() => whenAtRest(reorder)); // measuring where rows stand is a task of its own
}

function reorder() {
  if (items.some((item, i) => list.children[i] !== item)) glide(() => [...list.children], move);
}

/** Put the rows in order; the keyboard stays on the row it was on. */
function move() {
  const focused = document.activeElement;
  list.append(...items);
  if (list.contains(focused)) focused.focus({ preventScroll: true });
}

/** The sheet is fetched when somebody wants it: the score comes first. */
export async function openPlayer(seat) {
  const sheet = await withWords("player", import("./player_sheet.js"));
  sheet.openPlayer(seat);
}

function makeRow(seat) {
  const parts = {
    car: h("span", { class: "row-car" }),
    name: h("span", { class: "row-name" }),
    tags: h("span", { class: "tags" }),
    points: h("span", { class: "row-points" }),
    gain: h("span", { class: "gain", "aria-hidden": "true" }),
    left: h("span", { class: "row-left" }),
    gauge: h("span", { class: "gauge", "aria-hidden": "true" }, h("span", {})),
    path: h("span", { class: "row-path" }),
    more: h("span", { class: "row-numbers", hidden: true }),
  };
  const row = button(`player-${seat}`, [
    parts.car,
    h("span", { class: "row-who" }, parts.name, parts.tags),
    h("span", { class: "row-score" }, parts.points, parts.gain),
    h("span", { class: "row-facts" }, parts.gauge, h("span", { class: "row-numbers" }, parts.left, parts.path), parts.more),
  ], () => openPlayer(seat), { class: "row" });
  return { item: h("li", { "data-seat": seat }, row), button: row, parts, player: null };
}

function update(player) {
  if (!rows.has(player.seat)) rows.set(player.seat, makeRow(player.seat));
  const row = rows.get(player.seat);
  const { parts } = row;
  const paint = paintOf(player.colour);
  const { left } = pieceKeys();
  if (row.player?.colour !== player.colour) fill(parts.car, car(paint));
  parts.name.textContent = nameOf(player);
  const words = tags(player);
  if (words.join() !== row.words) fill(parts.tags, words.map(([word, name]) => h("span", { class: `tag ${name}` }, word)));
  row.words = words.join();
  const gained = row.player ? player.points - row.player.points : 0;
  countTo(parts.points, player.points, number);
  if (gained) showGain(parts.gain, gained);
  parts.left.textContent = sayCount(left, player.trains_left);
  parts.gauge.firstChild.style.width = `${(100 * Math.max(0, player.trains_left)) / player.trains}%`;
  parts.gauge.style.setProperty("--paint-of", paint.paint);
  parts.path.textContent = say("players.path", { n: pathLength(player) });
  const more = addition("player", player);
  parts.more.textContent = more ?? "";
  parts.more.hidden = !more;
  row.item.classList.toggle("has-turn", player.seat === turnNow().seat && !now().game.ended);
  row.item.classList.toggle("is-low", player.trains_left <= 5);
  row.item.classList.toggle("has-left", player.has_left);
  row.button.setAttribute("aria-label", rowText(player));
  row.player = player;
}

/** Return all that a row shows, in words. */
export function rowText(player) {
  return say("players.row", {
    name: nameOf(player),
    colour: paintWords(player),
    points: number(player.points),
    left: sayCount(pieceKeys().left, player.trains_left),
    path: pathLength(player),
    tags: [...tags(player).map(([word]) => word), addition("player", player)].map(sentence).filter(Boolean).join(" "),
  }).trim();
}

/** Return what is said beside a name, each with the class that it looks by. */
function tags(player) {
  const { game } = now();
  const is = (condition, key, name) => (condition ? [say(key), name] : null);
  return [
    is(player.is_winner && now().phase === "winner", "tag.winner", "tag-winner"),
    player.seat === turnNow().seat && !game.ended ? [turnNow().word, "tag-turn"] : null,
    is(player.seat === me().seat, "tag.you", "tag-you"),
    addition("tag", player),
    is(player.holds_longest, "tag.longest", "tag-longest"),
    is(player.has_left, "tag.left", ""),
    markerTag(player),
    game.has_stations ? [sayCount("left.station", player.stations_left), ""] : null,
  ].filter(Boolean);
}

/** A score marker that has stood elsewhere than the score for a while. */
function markerTag({ seat }) {
  const stands = now().table?.markers?.find((marker) => marker.seat === seat);
  return stands ? [say("tag.marker", { at: number(stands.at), points: number(stands.should_be) }), "tag-marker"] : null;
}

function showGain(element, gained) {
  element.textContent = gained > 0 ? `+${number(gained)}` : number(gained);
  element.classList.toggle("loss", gained < 0);
  if (isStill()) return (element.textContent = "");
  const rise = [{ opacity: 0, transform: "translateY(.4rem)" }, { opacity: 1, transform: "none", offset: 0.2 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }];
  return element.animate(rise, { duration: 2200 }).finished.then(() => (element.textContent = ""), () => {});
}
