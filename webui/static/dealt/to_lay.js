// What is claimed and does not lie on the board yet: which pieces go where, until the camera sees them or somebody says so.

import { post } from "../shared/api.js";
import { carsPath } from "../shared/board_drawing.js";
import { button, car, fill, h, icon, s } from "../shared/dom.js";
import { nameOfSeat, paintWords, placeName, spotName, spotParts } from "../shared/names.js";
import { paintOf, printOf } from "../shared/paint.js";
import { announce, attempt } from "../shared/sheets.js";
import { mayChange, now, playerOf, theBoard, watch } from "../shared/state.js";
import { colourWord, list, number, say, sayCount } from "../shared/words.js";
import { boundsOf } from "../shared/zoom.js";
import { whenAtRest } from "../table/motion.js";
import { spotPicture } from "../table/spot_picture.js";
import { playerName } from "./turn_words.js";

const MARGIN_MM = 42;
const SEEN_MS = 5000;
const NAME_MM = 9;

/** Show a card for each claim that is to be laid, and for what lies elsewhere; what lies there by now is ticked off. */
export function showToLay(place) {
  const seen = new Map(); // what was laid a moment ago, by its spot
  const cards = new Map(); // of what lies elsewhere, by what they say
  let astray = [];
  let before = [];
  const draw = () => {
    const waiting = now().cards?.to_lay ?? [];
    place.hidden = !waiting.length && !seen.size && !astray.length;
    // Such a card is not made anew: its picture is of the moment in which it was made.
    const kept = new Map(cards);
    cards.clear();
    for (const one of astray) {
      const about = JSON.stringify([one.spot, one.to_lay, mayChange()]);
      cards.set(about, kept.get(about) ?? astrayCard(one));
    }
    fill(place, [...seen.values()].map(seenCard), [...cards.values()], waiting.map(layCard));
  };
  watch((state, you) => [state.cards, state.players, you.role], ([dealt]) => {
    for (const one of (dealt?.astray ?? []).filter(({ spot }) => !astray.some((other) => other.spot === spot))) announce(astrayText(one));
    astray = dealt?.astray ?? [];
    const waiting = dealt?.to_lay ?? [];
    const isNew = (one) => !before.some((other) => other.spot === one.spot);
    for (const one of waiting.filter(isNew)) announce(taskText(one));
    for (const one of before) {
      if (waiting.some((other) => other.spot === one.spot) || now().spots[one.spot]?.colour !== one.colour) continue;
      seen.set(one.spot, one);
      setTimeout(() => (seen.delete(one.spot), whenAtRest(draw)), SEEN_MS);
    }
    before = waiting;
    whenAtRest(draw);
  });
}

const LAY = { train: "dealt.lay_train", taxi: "dealt.lay_taxi", shape: "dealt.lay_shape" };

/** Return what is to be laid, in a sentence. */
function layText({ spot, colour, seat, pieces }) {
  const values = { name: playerName(seat), spot: spotName(spot), colour: paintWords({ colour, shape: playerOf(colour)?.shape }) };
  const [kind] = spotParts(spot);
  if (kind === "station") return say("dealt.lay_station", values);
  return sayCount(LAY[now().game.train_word] ?? LAY.train, pieces, values);
}

/** Return all that is to be done for a claim: what is laid, and what goes back in the box. */
export const taskText = (one) => [`${layText(one)}.`, boxText(one)].filter(Boolean).join(" ");

/** Return how many pieces go back in the box; the empty text where all of them are laid. */
function boxText({ spot, pieces }) {
  const [kind, id] = spotParts(spot);
  const rest = kind === "route" ? theBoard().route[id].length - pieces : 0;
  return rest ? sayCount("dealt.to_box", rest) : "";
}

/** Return where the score marker goes; the empty text where it stays. */
export const markerText = ({ marker, seat }) => (marker === null ? "" : say("dealt.move_marker", { name: nameOfSeat(seat), n: number(marker) }));

const line = (text) => (text ? h("p", {}, text) : null);

/** Return how far it is laid, as the camera sees it: nothing of a space that it is not sure of. */
function seenText({ spot, pieces, standing, wrong }) {
  const from = () => placeName(theBoard().route[spotParts(spot)[1]].a);
  return [
    standing.length || wrong.length ? h("p", { class: "lay-seen" }, say("dealt.standing", { n: number(standing.length), all: number(pieces) })) : null,
    wrong.map(({ space, colour }) => h("p", { class: "trouble-text" }, icon("cross"), " ", h("span", {}, say("dealt.wrong_there", { n: number(space + 1), place: from(), colour: colourWord(colour) })))),
  ];
}

function layCard(one) {
  const [kind, about] = spotParts(one.spot);
  const lies = () => attempt(() => post("/cards/laid", { kind, about }), say("dealt.lies", { spot: spotName(one.spot) }));
  return h("section", { class: "card to-lay", "data-spot": one.spot },
    h("div", { class: "holder" }, car(paintOf(one.colour)), h("h2", {}, layText(one))),
    line(boxText(one)),
    line(markerText(one)),
    h("div", { role: "status" }, seenText(one)),
    layMap(one),
    mayChange() ? button(`lies-${one.spot}`, [icon("check"), h("span", {}, say("dealt.it_lies"))], lies, { class: "wide" }) : null);
}

/** Return where the pieces lie, and where they belong. */
function astrayText({ spot, seat, to_lay: right }) {
  const values = { name: nameOfSeat(seat), wrong: spotName(spot) };
  return right.length ? say("dealt.astray", { ...values, right: list(right.map(spotName), "disjunction") }) : say("dealt.astray_nowhere", values);
}

function astrayCard(one) {
  const [kind, about] = spotParts(one.spot);
  const nothing = () => attempt(() => post("/corrections", { kind, about, was: null, now: null }), say("spot.now_free", { spot: spotName(one.spot) }));
  const title = astrayText(one);
  return h("section", { class: "card question", "data-spot": one.spot },
    h("div", { class: "holder" }, icon("cross"), h("h2", {}, title)),
    mayChange() ? [
      spotPicture([{ crop: `${one.picture}?${Date.now()}`, shown_mm: one.shown_mm, kind, about }], say("film.picture", { spot: spotName(one.spot) })),
      button(`nothing-${one.spot}`, say("dealt.astray_not"), nothing, { class: "wide" })] : null);
}

function seenCard(one) {
  return h("section", { class: "card to-lay is-seen" }, h("div", { class: "holder" }, icon("check"), h("p", {}, say("dealt.lies", { spot: spotName(one.spot) }))), line(markerText(one)));
}

/** Return the part of the board where it goes, upright as it lies on the table: the spaces in the player's own paint. */
function layMap({ spot, colour, standing, wrong }) {
  const board = theBoard();
  const [kind, id] = spotParts(spot);
  const spaces = spacesAt(kind, id, board);
  const ends = kind === "route" ? [board.route[id].a, board.route[id].b].map((end) => board.place[end]) : kind === "station" ? [board.place[id]] : [];
  const [x1, y1, x2, y2] = boundsOf([...spaces, ...ends].map((one) => one.xy_mm));
  const [left, top, width, height] = [x1 - MARGIN_MM, y1 - MARGIN_MM, x2 - x1 + 2 * MARGIN_MM, y2 - y1 + 2 * MARGIN_MM];
  const isNear = ({ xy_mm: [x, y] }) => x > left && x < left + width && y > top && y < top + height;
  const near = board.routes.filter((route) => route.id !== id && route.spaces.some(isNear));
  const paint = paintOf(colour);
  // One piece on the pin is all that lies there: its sign stands where it is seen, or else in the middle.
  const seen = [...standing, ...wrong.map(({ space }) => space)];
  const isPin = (i) => (seen.length ? seen.includes(i) : i === Math.floor(spaces.length / 2));
  const signs = spaces.map(({ xy_mm: [x, y] }, i) => {
    if (now().game.one_piece_a_route && !isPin(i)) return [];
    const [kindOf, text] = wrong.some(({ space }) => space === i) ? [" is-wrong", "✕"] : standing.includes(i) ? [" is-there", "✓"] : ["", paint.letter];
    return s("g", { class: `lay-sign${kindOf}`, transform: `translate(${x} ${y})` }, s("circle", { r: 4.4 }), s("text", { y: 2.2 }, text));
  });
  return s("svg", { class: "lay-map", viewBox: `${left} ${top} ${width} ${height}`, role: "img", "aria-label": say("dealt.lay_map", { spot: spotName(spot) }) },
    near.map((route) => s("path", { class: "lay-print", d: carsPath(route.spaces), stroke: printOf(route.colour) })),
    s("path", { class: "lay-here", d: carsPath(spaces, 2), fill: paint.paint }), signs,
    board.places.filter(isNear).map(({ xy_mm: [cx, cy] }) => s("circle", { class: "map-place", cx, cy, r: 4.6 })),
    ends.map((place) => nameOfEnd(place, [left, top, width, height])));
}

function spacesAt(kind, id, board) {
  if (kind === "route") return board.route[id].spaces;
  if (kind === "site") return [board.site[id].space];
  return [{ xy_mm: board.place[id].xy_mm, angle_deg: 0, size_mm: [15, 13] }];
}

/** A name stands over its place, or under it in the lower half, and never beyond the edge. */
function nameOfEnd({ name, xy_mm: [x, y] }, [left, top, width, height]) {
  const half = name.length * 0.33 * NAME_MM;
  const beside = y < top + height / 2 ? y - 0.9 * NAME_MM : y + 1.6 * NAME_MM;
  return s("text", { class: "lay-name", x: Math.min(Math.max(x, left + half), left + width - half), y: beside, "font-size": NAME_MM, "text-anchor": "middle" }, name);
}
