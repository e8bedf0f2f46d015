// The board as a drawing: places, spaces as cars' outlines, claimed routes in their player's colour, routes lit up.

import { carsPath, placeLabels, sizeOf, spacesOf, trackPath } from "./board_layout.js";
import { breathe, s } from "./dom.js";
import { paintOf, patterns, printOf, trainFill } from "./paint.js";
import { theBoard, watch } from "./state.js";

const AT_ONCE = 25; // routes drawn before the browser may breathe
const FINGER_MM = 16;

/** What is drawn of each spot, `KIND:ID`. */
export const parts = new Map();
let svg = null;
let names = null;
let lit = [];
let litAlone = true;

/** Draw the board into a new SVG, which `place(svg)` puts onto the page, and keep it as the game goes. */
export async function draw(attributes, place) {
  const board = theBoard();
  const size = sizeOf(board);
  names = s("g", { class: "names" });
  const [prints, trains, letters, fingers] = ["prints", "trains", "letters", "fingers"].map((name) => s("g", { class: name }));
  svg = s("svg", { class: "board", viewBox: `0 0 ${size.join(" ")}`, ...attributes },
    patterns(),
    s("rect", { class: "paper", x: 0, y: 0, width: size[0], height: size[1], rx: 8 }),
    fingers, prints, trains, dots(board), letters, names);
  place(svg);
  for (const [i, route] of board.routes.entries()) {
    addRoute(route, board, { prints, trains, letters, fingers });
    if (i % AT_ONCE === AT_ONCE - 1) await breathe();
  }
  addMarks(board, { prints, trains, letters, fingers });
  watch((state) => [state.spots], mark);
}

/** Put other names onto the drawing. */
export const showNames = (texts) => names.replaceChildren(...texts);

function dots(board) {
  return s("g", { class: "places" }, board.places.map((place) => s("circle", { cx: place.xy_mm[0], cy: place.xy_mm[1], r: 4.6, class: place.attraction ? "attraction" : null })));
}

function addRoute(route, board, groups) {
  const spaces = spacesOf(route, board);
  addSpot(`route:${route.id}`, spaces, printOf(route.colour), groups, route.tunnel);
}

/** Stations stand on their places, sites on a space of their own. */
function addMarks(board, groups) {
  for (const place of board.places) {
    const spaces = [{ xy_mm: place.xy_mm, angle_deg: 0, size_mm: [15, 13] }];
    parts.set(`station:${place.id}`, { spaces, groups, isHidden: true });
  }
  for (const site of board.sites) if (site.space) addSpot(`site:${site.id}`, [site.space], printOf("grey"), groups);
}

function addSpot(spot, spaces, print, groups, isTunnel = false) {
  const shape = carsPath(spaces);
  const outline = s("path", { d: shape, stroke: print, fill: print, class: isTunnel ? "print tunnel" : "print" });
  if (print === printOf("black")) outline.classList.add("print-black");
  const finger = s("path", { d: trackPath(spaces), "data-spot": spot, "stroke-width": FINGER_MM });
  groups.prints.append(outline);
  groups.fingers.append(finger);
  parts.set(spot, { spaces, groups, finger, outline });
}

/** Put trains where they stand now; what stayed as it was is not touched. */
function mark(spots) {
  for (const [spot, part] of parts) {
    const colour = spots[spot]?.colour ?? null;
    if (colour === (part.colour ?? null)) continue;
    part.train?.remove();
    part.letter?.remove();
    part.colour = colour;
    part.train = part.letter = null;
    if (colour) addTrains(part, colour);
  }
  lightUp(lit, litAlone);
}

function addTrains(part, colour) {
  const paint = paintOf(colour);
  part.train = s("path", { d: carsPath(part.spaces, 1.6), fill: trainFill(colour), class: `train train-${paint.style}` });
  const middle = part.spaces[Math.floor((part.spaces.length - 1) / 2)].xy_mm;
  part.letter = s("g", { class: "letter", transform: `translate(${middle.join(" ")})` }, s("circle", { r: 4.6 }), s("text", { y: 2.5 }, paint.letter));
  part.groups.trains.append(part.train);
  part.groups.letters.append(part.letter);
}

/** Return the places' names, in letters of that height. */
export function writeNames(heightMm) {
  const board = theBoard();
  const spaces = board.routes.flatMap((route) => spacesOf(route, board));
  const found = placeLabels(board.places, spaces, sizeOf(board), heightMm, 5.5);
  return board.places.filter((place) => found.get(place.id)).map((place) => {
    const { x, y, anchor } = found.get(place.id);
    return s("text", { x, y: y + heightMm * 0.35, "text-anchor": anchor, "font-size": heightMm, "stroke-width": heightMm * 0.28 }, place.name);
  });
}

/** Light routes up, and let the others step back where `isAlone`; an empty list lights all again. */
export function lightUp(routes, isAlone = true) {
  [lit, litAlone] = [routes, isAlone];
  if (!svg) return;
  const bright = new Set(routes.map((id) => `route:${id}`));
  svg.classList.toggle("has-light", isAlone && bright.size > 0);
  for (const [spot, part] of parts) for (const name of ["finger", "outline", "train", "letter"]) part[name]?.classList.toggle("lit", bright.has(spot));
}
