// What routes, places, sites and players are called.

import { now, playerOf, seated, theBoard } from "./state.js";
import { capital, colourWord, isolated, number, say, sayCount } from "./words.js";

export function placeName(id) {
  return theBoard().place[id]?.name ?? id;
}

const NUMBERED = ["route.lane_0", "route.lane_1", "route.lane_2", "route.lane_3"];
const SIDES = { upper: "route.lane_upper", lower: "route.lane_lower", left: "route.lane_left", right: "route.lane_right" };

export function routeName(id) {
  const route = theBoard().route[id];
  if (!route) return id;
  if (!isLane(route)) return endsName(route);
  const side = sideOf(id);
  return say(side ? SIDES[side] : NUMBERED[route.lane ?? 0], { a: placeName(route.a), b: placeName(route.b) });
}

const LANES = { upper: "lane.upper", lower: "lane.lower", left: "lane.left", right: "lane.right" };

/** Return which lane of a double route it is; the empty text for a route of one lane. */
export function laneWord(id) {
  const route = theBoard().route[id];
  if (!isLane(route)) return "";
  const side = sideOf(id);
  return side ? say(LANES[side]) : say("lane.number", { n: number((route.lane ?? 0) + 1) });
}

/** Return the lanes of a double route, that one among them; the route alone where it has one lane. */
export function lanesOf(id) {
  const route = theBoard().route[id];
  return theBoard().routes.filter((other) => areEnds(other, route));
}

/** Tell which of two lanes it is, for people with the board upright before them; null where there are more. */
export function sideOf(id) {
  const lanes = lanesOf(id);
  if (lanes.length !== 2 || lanes.some((lane) => !lane.spaces?.length)) return null;
  const [x, y] = middle(lanes.find((lane) => lane.id === id));
  const [otherX, otherY] = middle(lanes.find((lane) => lane.id !== id));
  if (Math.abs(x - otherX) > Math.abs(y - otherY)) return x < otherX ? "left" : "right";
  return y < otherY ? "upper" : "lower";
}

function middle({ spaces }) {
  return [0, 1].map((axis) => spaces.reduce((sum, space) => sum + space.xy_mm[axis], 0) / spaces.length);
}

/** Return the name of a route (also of one lane), a station or a site. */
export function spotName(spot) {
  const [kind, id] = spotParts(spot);
  if (kind === "station") return say("station.name", { place: placeName(id) });
  if (kind === "site") return theBoard().site[id]?.name ?? id;
  return routeName(id);
}

export function spotParts(spot) {
  const at = spot.indexOf(":");
  return [spot.slice(0, at), spot.slice(at + 1)];
}

export function isLane(route) {
  return lanesOf(route.id).length > 1;
}

/** Return how long a route is and what is printed on it: its colour, and whether it is a tunnel or a ferry. */
export function sizeText(route, key = "route.length") {
  const size = sayCount(key, route.length, { colour: colourWord(route.colour) });
  const ferry = route.ferry_locomotives ? sayCount("route.ferry", route.ferry_locomotives) : "";
  return [size, route.tunnel ? say("route.tunnel") : "", ferry].filter(Boolean).join(", ");
}

function areEnds(one, other) {
  return (one.a === other.a && one.b === other.b) || (one.a === other.b && one.b === other.a);
}

/** Return what a ticket, or a route whichever lane it is, is called: its two ends. */
export function endsName({ a, b }) {
  return say("route.name", { a: placeName(a), b: placeName(b) });
}

/** Return what a route is worth, from the lines of its owner's score; null where there is none. */
export function routePoints(id, colour) {
  const route = theBoard().route[id];
  const ends = route && [placeName(route.a), placeName(route.b)].sort().join();
  return playerOf(colour)?.lines.find((line) => line.kind === "route" && [line.values.a, line.values.b].sort().join() === ends)?.points ?? null;
}

/** Return who plays a colour; the colour's word where nobody does. */
export function who(colour) {
  if (colour === null || colour === undefined) return say("spot.free");
  const player = playerOf(colour);
  return player ? nameOf(player) : colourWord(colour);
}

/** Return a player's name; who has none is called by the colour. */
export function nameOf(player) {
  return player.name && player.name !== player.colour ? isolated(player.name) : capital(colourWord(player.colour));
}

export function nameOfSeat(seat) {
  const player = seated(seat);
  return player ? nameOf(player) : seat;
}

/** Return what a player's pieces are told by: their colour, and in the accessible edition their shape. */
export const paintWords = ({ colour, shape }) => [colourWord(colour), shape].filter(Boolean).join(", ");

/**
 * Return what a claim asks of the accessible edition's player: one piece on the route's pin, the others of its length back
 * in the box. The empty text in every other edition, and for what is no route.
 */
export function pinText(spot, colour) {
  const [kind, id] = spotParts(spot);
  if (!now().game.one_piece_a_route || kind !== "route") return "";
  const shape = playerOf(colour)?.shape || say("pin.shape");
  const back = theBoard().route[id].length - 1;
  return back ? say("pin.one", { shape, n: number(back) }) : say("pin.alone", { shape });
}

/** Return it for a claim that was just seen; what was paid for on a phone was said when it was paid. */
export function newPinText(spot, colour) {
  const { cards } = now();
  return !cards || (cards.unpaid ?? []).some((one) => one.spot === spot) ? pinText(spot, colour) : "";
}

/** Return it for a claim that is about to be said by hand; what is to be laid was paid for. */
export function saidPinText(spot, colour) {
  return colour === null || (now().cards?.to_lay ?? []).some((one) => one.spot === spot) ? "" : pinText(spot, colour);
}

const LEFT = { train: "left.train", taxi: "left.taxi", shape: "left.shape" };
const NEEDED = { train: "needed.train", taxi: "needed.taxi", shape: "needed.shape" };

/** Return the catalogue's keys for this edition's pieces. */
export function pieceKeys() {
  const word = now().game.train_word;
  return { left: LEFT[word] ?? LEFT.train, needed: NEEDED[word] ?? NEEDED.train };
}
