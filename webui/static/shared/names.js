// What routes, places, sites and players are called.

import { now, playerOf, seated, theBoard } from "./state.js";
import { capital, colourWord, say } from "./words.js";

export function placeName(id) {
  return theBoard().place[id]?.name ?? id;
}

const LANES = ["route.lane_0", "route.lane_1", "route.lane_2", "route.lane_3"];

export function routeName(id) {
  const route = theBoard().route[id];
  if (!route) return id;
  const a = placeName(route.a);
  const b = placeName(route.b);
  return isLane(route) ? say(LANES[route.lane ?? 0], { a, b }) : say("route.name", { a, b });
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
  return theBoard().routes.some((other) => other.id !== route.id && areEnds(other, route));
}

function areEnds(one, other) {
  return (one.a === other.a && one.b === other.b) || (one.a === other.b && one.b === other.a);
}

export function ticketName(ticket) {
  return say("route.name", { a: placeName(ticket.a), b: placeName(ticket.b) });
}

/** Return who plays a colour; the colour's word where nobody does. */
export function who(colour) {
  if (colour === null || colour === undefined) return say("spot.free");
  const player = playerOf(colour);
  return player ? nameOf(player) : colourWord(colour);
}

/** Return a player's name; who has none is called by the colour. */
export function nameOf(player) {
  return player.name && player.name !== player.colour ? player.name : capital(colourWord(player.colour));
}

export function nameOfSeat(seat) {
  const player = seated(seat);
  return player ? nameOf(player) : seat;
}

const LEFT = { train: "left.train", taxi: "left.taxi", shape: "left.shape" };
const NEEDED = { train: "needed.train", taxi: "needed.taxi", shape: "needed.shape" };

/** Return the catalogue's keys for this edition's pieces. */
export function pieceKeys() {
  const word = now().game.train_word;
  return { left: LEFT[word] ?? LEFT.train, needed: NEEDED[word] ?? NEEDED.train };
}
