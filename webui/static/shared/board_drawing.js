// The board as a drawing: places, spaces as cars' outlines, claimed routes in their player's colour, routes lit up.

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
  const size = board.size_mm;
  names = s("g", { class: "names" });
  const [prints, trains, letters, fingers] = ["prints", "trains", "letters", "fingers"].map((name) => s("g", { class: name }));
  svg = s("svg", { class: "board", viewBox: `0 0 ${size.join(" ")}`, ...attributes },
    patterns(),
    s("rect", { class: "paper", x: 0, y: 0, width: size[0], height: size[1], rx: 8 }),
    fingers, dotted(board), prints, trains, dots(board), letters, names);
  place(svg);
  for (const [i, route] of board.routes.entries()) {
    addRoute(route, { prints, trains, letters, fingers });
    if (i % AT_ONCE === AT_ONCE - 1) await breathe();
  }
  addMarks(board, { prints, trains, letters, fingers });
  watch((state) => [state.spots], mark);
  watch((state) => [state.table?.unseen], ([unseen = []]) => parts.forEach((part, spot) => part.outline?.classList.toggle("out-of-picture", unseen.includes(spot))));
}

/** Put other names onto the drawing. */
export const showNames = (texts) => names.replaceChildren(...texts);

function dots(board) {
  return s("g", { class: "places" }, board.places.map((place) => s("circle", { cx: place.xy_mm[0], cy: place.xy_mm[1], r: 4.6, class: place.attraction ? "attraction" : null })));
}

/** Lines that are printed dotted: where a route crosses under another, and from a site to its station. */
function dotted(board) {
  return s("g", { class: "dotted" }, board.dotted.map(([[x1, y1], [x2, y2]]) => s("line", { x1, y1, x2, y2 })));
}

function addRoute(route, groups) {
  addSpot(`route:${route.id}`, route.spaces, printOf(route.colour), groups, route.tunnel);
}

/** Stations stand on their places, sites on a space of their own. */
function addMarks(board, groups) {
  for (const place of board.places) {
    const spaces = [{ xy_mm: place.xy_mm, angle_deg: 0, size_mm: [15, 13] }];
    parts.set(`station:${place.id}`, { spaces, groups, isHidden: true });
  }
  for (const site of board.sites) addSpot(`site:${site.id}`, [site.space], printOf("grey"), groups);
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
function mark([spots]) {
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
  const spaces = board.routes.flatMap((route) => route.spaces);
  const found = placeLabels(board.places, spaces, board.size_mm, heightMm, 5.5);
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

// From a board's measures to what is drawn, in millimetres: every route's cars as one path, and where names stand.

const GAP_MM = 1.2;
const ROUND_MM = 1.6;

/** Return the outlines of a route's cars as the data of one SVG path. */
export function carsPath(spaces, widerMm = 0) {
  return spaces.map((space) => carPath(space, widerMm)).join("");
}

function carPath({ xy_mm: [x, y], angle_deg: angle, size_mm: [length, width] }, widerMm) {
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const l = (length - GAP_MM) / 2 + widerMm / 2;
  const w = width / 2 + widerMm / 2;
  const r = Math.min(ROUND_MM, w);
  const at = (u, v) => `${(x + u * cos - v * sin).toFixed(1)} ${(y + u * sin + v * cos).toFixed(1)}`;
  return `M${at(-l + r, -w)}L${at(l - r, -w)}Q${at(l, -w)} ${at(l, -w + r)}L${at(l, w - r)}Q${at(l, w)} ${at(l - r, w)}L${at(-l + r, w)}Q${at(-l, w)} ${at(-l, w - r)}L${at(-l, -w + r)}Q${at(-l, -w)} ${at(-l + r, -w)}Z`;
}

/** Return a line through the middles of a route's spaces: what a finger has to meet. */
export function trackPath(spaces) {
  const ends = (space, sign) => {
    const turn = (space.angle_deg * Math.PI) / 180;
    const half = (space.size_mm[0] / 2) * sign;
    return `${(space.xy_mm[0] + half * Math.cos(turn)).toFixed(1)} ${(space.xy_mm[1] + half * Math.sin(turn)).toFixed(1)}`;
  };
  const points = [ends(spaces[0], -1), ...spaces.map((space) => space.xy_mm.map((v) => v.toFixed(1)).join(" ")), ends(spaces.at(-1), 1)];
  return `M${points.join("L")}`;
}

// Where the places' names stand: beside their dots, over no train, no dot and no other name.

const NEAR = 0.55; // of a letter's height, beside the dot
const SIDES = [
  [1, 0, "start"], [-1, 0, "end"], [0, -1, "middle"], [0, 1, "middle"],
  [0.8, -0.9, "start"], [0.8, 0.9, "start"], [-0.8, -0.9, "end"], [-0.8, 0.9, "end"],
  [0, -1.9, "middle"], [0, 1.9, "middle"], [1.6, -1.7, "start"], [1.6, 1.7, "start"], [-1.6, -1.7, "end"], [-1.6, 1.7, "end"],
];
const ON_TRAINS = 3;
const ON_NAMES = 1000;
const MEASURED_PX = 20;
const FONT = `600 ${MEASURED_PX}px system-ui, sans-serif`;

let pen = null;

/** Return how wide a name is, in heights of its letters. */
function widthOf(name) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = FONT;
  return pen.measureText(name).width / MEASURED_PX;
}

/**
 * Return where each name stands: `{id, x, y, anchor}` in millimetres, and `null` for a name that
 * finds no room yet (it appears nearer).
 */
export function placeLabels(places, spaces, sizeMm, heightMm, dotMm) {
  const cars = spaces.map(({ xy_mm: [x, y], size_mm: [length, width], angle_deg: angle }) => {
    const turn = (angle * Math.PI) / 180;
    const [w, h] = [Math.abs(length * Math.cos(turn)) + Math.abs(width * Math.sin(turn)), Math.abs(length * Math.sin(turn)) + Math.abs(width * Math.cos(turn))];
    return { left: x - w / 2, right: x + w / 2, top: y - h / 2, bottom: y + h / 2 };
  });
  const dots = places.map(({ xy_mm: [x, y] }) => ({ left: x - dotMm, right: x + dotMm, top: y - dotMm, bottom: y + dotMm }));
  const taken = [];
  const found = new Map();
  // Who has the least room chooses first.
  const crowd = (place) => dots.filter((dot) => Math.hypot(dot.left - place.xy_mm[0], dot.top - place.xy_mm[1]) < heightMm * 7).length;
  for (const place of [...places].sort((a, b) => crowd(b) - crowd(a))) {
    const best = bestSide(place, { cars, dots, taken, sizeMm, heightMm, dotMm });
    if (best) taken.push(best.box);
    found.set(place.id, best && { id: place.id, x: best.x, y: best.y, anchor: best.anchor });
  }
  return found;
}

function bestSide(place, { cars, dots, taken, sizeMm, heightMm, dotMm }) {
  let best = null;
  const width = widthOf(place.name) * heightMm;
  for (const [i, [dx, dy, anchor]] of SIDES.entries()) {
    const away = dotMm + NEAR * heightMm;
    const x = place.xy_mm[0] + dx * away;
    const y = place.xy_mm[1] + dy * (away + heightMm * 0.3);
    const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
    const box = { left, right: left + width, top: y - heightMm * 0.5, bottom: y + heightMm * 0.5 };
    if (box.left < 1 || box.top < 1 || box.right > sizeMm[0] - 1 || box.bottom > sizeMm[1] - 1) continue;
    const cost = i * 0.02 + ON_TRAINS * covered(box, cars) + ON_NAMES * (covered(box, taken) + covered(box, dots));
    if (!best || cost < best.cost) best = { cost, x, y, anchor, box };
  }
  return best && best.cost < most(heightMm) ? best : null;
}

/** From far away a name that hides trains is worse than none; nearer, every name stands somewhere. */
function most(heightMm) {
  if (heightMm > 20) return 0.5;
  return heightMm > 14 ? 1 : ON_NAMES * 0.01;
}

/** Return how much of a box lies under others, as a part of its area. */
function covered(box, others) {
  const area = (box.right - box.left) * (box.bottom - box.top);
  let sum = 0;
  for (const other of others) {
    const w = Math.min(box.right, other.right) - Math.max(box.left, other.left);
    if (w <= 0) continue;
    const h = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
    if (h > 0) sum += w * h;
  }
  return sum / area;
}
