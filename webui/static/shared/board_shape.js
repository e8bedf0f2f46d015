// From a board's measures to what is drawn: every route's cars as one path, in millimetres.

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
