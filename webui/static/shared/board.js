// The board, drawn by us: places with their names, spaces as cars' outlines, claimed routes in their player's colour.

import { carsPath, placeLabels, sizeOf, spacesOf, trackPath } from "./board_layout.js";
import { breathe, car, fill, h, icon, s } from "./dom.js";
import { nameOf } from "./names.js";
import { paintOf, patterns, printOf, trainFill } from "./paint.js";
import { openRoutes, openSpot } from "./route_sheets.js";
import { now, seated, theBoard, watch } from "./state.js";
import { pathLength, say } from "./words.js";
import { zoomable } from "./zoom.js";

const NAME_PX = 12.5;
const LETTERS_FROM = 1.15; // pixels a millimetre; below, a letter on a car cannot be read
const AT_ONCE = 25; // routes drawn before the browser may breathe
const FINGER_MM = 16;
const SHARED_MM = 11.5; // height of the names in a picture that is sent to others

const parts = new Map();
const labelCache = new Map();
let svg = null;
let names = null;
let zoom = null;
let lit = [];
let litSeat = null;

/** Draw the board into its place and keep it as the game goes. */
export async function drawBoard(place) {
  const board = theBoard();
  const size = sizeOf(board);
  names = s("g", { class: "names" });
  const [prints, trains, letters, fingers] = ["prints", "trains", "letters", "fingers"].map((name) => s("g", { class: name }));
  svg = s("svg", { class: "board", viewBox: `0 0 ${size.join(" ")}`, role: "application", tabindex: 0, "aria-label": say("board.label"), "aria-describedby": "board-help" },
    patterns(),
    s("rect", { class: "paper", x: 0, y: 0, width: size[0], height: size[1], rx: 8 }),
    fingers, prints, trains, dots(board), letters, names);
  place.replaceChildren(h("div", { class: "board-place" }, svg), h("p", { id: "board-help", class: "unseen" }, say("board.help")), tools(), h("div", { class: "paths", role: "group", "aria-label": say("board.paths") }));
  for (const [i, route] of board.routes.entries()) {
    addRoute(route, board, { prints, trains, letters, fingers });
    if (i % AT_ONCE === AT_ONCE - 1) await breathe();
  }
  addMarks(board, { prints, trains, letters, fingers });
  zoom = zoomable(svg, size, { onTap: tapped, onChange: (scale) => scaled(scale, board, size) });
  watch((state) => [state.spots], mark);
  watch((state) => [state.players], () => showPaths(place.querySelector(".paths")));
}

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
  light(lit, { seat: litSeat });
}

function addTrains(part, colour) {
  const paint = paintOf(colour);
  part.train = s("path", { d: carsPath(part.spaces, 1.6), fill: trainFill(colour), class: `train train-${paint.style}` });
  const middle = part.spaces[Math.floor((part.spaces.length - 1) / 2)].xy_mm;
  part.letter = s("g", { class: "letter", transform: `translate(${middle.join(" ")})` }, s("circle", { r: 4.6 }), s("text", { y: 2.5 }, paint.letter));
  part.groups.trains.append(part.train);
  part.groups.letters.append(part.letter);
}

function scaled(pxPerMm, board, size) {
  svg.classList.toggle("has-letters", pxPerMm >= LETTERS_FROM);
  const step = Math.round(Math.log2(pxPerMm) * 3);
  if (!labelCache.has(step)) labelCache.set(step, writeNames(NAME_PX / pxPerMm, board, size));
  names.replaceChildren(...labelCache.get(step));
}

/** Return the places' names, in letters of that height. */
function writeNames(heightMm, board, size) {
  const spaces = board.routes.flatMap((route) => spacesOf(route, board));
  const found = placeLabels(board.places, spaces, size, heightMm, 5.5);
  return board.places.filter((place) => found.get(place.id)).map((place) => {
    const { x, y, anchor } = found.get(place.id);
    return s("text", { x, y: y + heightMm * 0.35, "text-anchor": anchor, "font-size": heightMm, "stroke-width": heightMm * 0.28 }, place.name);
  });
}

/** A tap means the nearest route: a finger is thicker than a lane. */
function tapped(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const near = event.pointerType === "mouse" ? 10 : 22;
  let best = null;
  for (const [spot, part] of parts) {
    if (part.isHidden && !part.colour) continue;
    for (const { xy_mm: [x, y], size_mm: [length] } of part.spaces) {
      const far = Math.max(0, Math.hypot(at.x - x, at.y - y) - (part.isHidden ? 0 : length / 3));
      if (far < near && (!best || far < best.far)) best = { spot, far };
    }
  }
  if (best) openSpot(best.spot);
}

/** Light routes up, and let the others step back; an empty list lights all again. */
export function light(routes, { isShown = false, seat = null } = {}) {
  lit = routes;
  litSeat = seat;
  if (!svg) return;
  const bright = new Set(routes.map((id) => `route:${id}`));
  svg.classList.toggle("has-light", bright.size > 0);
  for (const [spot, part] of parts) {
    const isLit = bright.has(spot);
    part.finger?.classList.toggle("lit", isLit);
    part.outline?.classList.toggle("lit", isLit);
    part.train?.classList.toggle("lit", isLit);
    part.letter?.classList.toggle("lit", isLit);
  }
  if (isShown && bright.size) zoom.show(boundsOf([...bright].flatMap((spot) => parts.get(spot)?.spaces ?? [])));
}

function boundsOf(spaces) {
  const [xs, ys] = [0, 1].map((i) => spaces.map((space) => space.xy_mm[i]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Show a button for each player that lights up the longest path; a second tap puts it out. */
function showPaths(place) {
  fill(place, now().players.map((player) => h("button", { type: "button", class: "path", "data-key": `path-${player.seat}`, "aria-pressed": String(litSeat === player.seat), on: { click: () => togglePath(player.seat, place) } },
    car(paintOf(player.colour)), h("span", {}, say("board.path", { name: nameOf(player), n: pathLength(player) })))));
  const player = seated(litSeat);
  if (player) light(player.path_routes, { seat: litSeat });
}

function togglePath(seat, place) {
  if (litSeat === seat) light([]);
  else light(seated(seat).path_routes, { seat });
  showPaths(place);
}

function tools() {
  const button = (name, text, act) => h("button", { type: "button", "aria-label": text, on: { click: () => act() } }, icon(name));
  return h("div", { class: "tools" },
    button("nearer", say("board.nearer"), () => zoom.nearer()),
    button("farther", say("board.farther"), () => zoom.farther()),
    button("whole", say("board.whole"), () => (light([]), showPaths(svg.closest("#board").querySelector(".paths")), zoom.whole())),
    h("button", { type: "button", class: "all-routes", on: { click: openRoutes } }, icon("map"), say("routes.title")));
}

/** Return the board as it is drawn, in one piece, for a picture of it. */
export function boardPicture() {
  const copy = svg.cloneNode(true);
  const size = sizeOf(theBoard());
  copy.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
  copy.setAttribute("class", "board has-letters");
  copy.querySelector(".names").replaceChildren(...writeNames(SHARED_MM, theBoard(), size));
  return { svg: copy, size };
}
