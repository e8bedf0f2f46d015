// From a board's measures to what is drawn, in millimetres: every route's cars as one path, and where names stand.

const GAP_MM = 1.2;
const ROUND_MM = 1.6;
const UNMEASURED = { length: 22, width: 8 };

/** Return the spaces of a route; where a board was not measured, they are laid on a straight line. */
export function spacesOf(route, board) {
  if (route.spaces?.length) return route.spaces;
  const a = board.place[route.a].xy_mm;
  const b = board.place[route.b].xy_mm;
  const angle = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
  return Array.from({ length: route.length }, (_, i) => {
    const part = (i + 0.5) / route.length;
    const xy = [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
    return { xy_mm: xy, angle_deg: angle, size_mm: [UNMEASURED.length, UNMEASURED.width] };
  });
}

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

/** Return the picture's size; a board that nobody measured gets one around its places. */
export function sizeOf(board) {
  return board.measured === false ? [800, 530] : board.size_mm;
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
