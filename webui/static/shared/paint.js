// How each player's colour is shown: never by the colour alone. webui/pages/result_view.py and look.css say the same.

import { s } from "./dom.js";

const LIGHT = "rgb(255 255 255 / .75)";

const PAINTS = {
  black: { letter: "K", paint: "#26221f", stroke: null },
  blue: { letter: "B", paint: "#1f63c4", stroke: LIGHT, kind: "rising" },
  green: { letter: "G", paint: "#23803a", stroke: LIGHT, kind: "dots" },
  orange: { letter: "O", paint: "#d9720f", stroke: LIGHT, kind: "falling" },
  purple: { letter: "P", paint: "#7a3fa5", stroke: LIGHT, kind: "checks" },
  red: { letter: "R", paint: "#c5281c", stroke: LIGHT, kind: "upright" },
  white: { letter: "W", paint: "#ffffff", stroke: "rgb(0 0 0 / .45)", kind: "dots" },
  yellow: { letter: "Y", paint: "#f2c511", stroke: "rgb(0 0 0 / .55)", kind: "level" },
};

/** The colours that people play with. */
export const COLOURS = Object.keys(PAINTS);

// Trains of the house's own: each has a pattern, and the colour that its name means to a browser or else one of these.
const OWN = [
  { stroke: LIGHT, kind: "falling", usual: "#178f8f" },
  { stroke: LIGHT, kind: "checks", usual: "#a0622d" },
  { stroke: LIGHT, kind: "level", usual: "#d15a94" },
  { stroke: LIGHT, kind: "rising", usual: "#6f7d8c" },
  { stroke: LIGHT, kind: "upright", usual: "#8a9417" },
];
const own = []; // their names, in the order in which they were seen
const NO_COLOUR = ["inherit", "initial", "unset", "revert", "transparent", "currentcolor"];

const PRINTS = {
  black: "#2c2724",
  blue: "#3a76c9",
  green: "#4d9a4f",
  grey: "#9b948b",
  orange: "#dd8226",
  pink: "#d77fb1",
  red: "#cf4433",
  white: "#ffffff",
  yellow: "#e8c22c",
};

/** Return a colour's paint; one of the house's own gets its first letter, and what nobody else has. */
export function paintOf(colour) {
  const known = PAINTS[colour];
  if (known) return { ...known, style: colour };
  if (!colour || colour === "other") return { letter: "?", style: "other", paint: "#8a8178", stroke: LIGHT, kind: "upright" };
  if (!own.includes(colour)) own.push(colour);
  const n = own.indexOf(colour) % OWN.length;
  const name = colour.replace(/[ -]/g, "").toLowerCase();
  const isNamed = CSS.supports("color", name) && !NO_COLOUR.includes(name);
  document.documentElement.style.setProperty(`--own-${n}`, isNamed ? name : OWN[n].usual);
  return { letter: colour.slice(0, 1).toUpperCase(), style: `own-${n}`, ...painted(n) };
}

function painted(n) {
  return { paint: `var(--own-${n})`, stroke: OWN[n].stroke, kind: OWN[n].kind };
}

/** Return what a printed route is drawn in. */
export function printOf(colour) {
  return PRINTS[colour] ?? PRINTS.grey;
}

/** Return the fill that shows a player's trains on the drawn board. */
export function trainFill(colour) {
  return `url(#trains-${paintOf(colour).style})`;
}

/** Return the patterns, a tile of each a few millimetres wide. */
export function patterns() {
  const names = [...Object.keys(PAINTS), "other"];
  return s("defs", {}, names.map((name) => pattern(name, paintOf(name))), OWN.map((_, n) => pattern(`own-${n}`, painted(n))));
}

function pattern(name, { paint, stroke, kind }) {
  const turn = { rising: 45, falling: -45, upright: 0, level: 90 }[kind];
  const tile = { id: `trains-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" };
  if (turn !== undefined) tile.patternTransform = `rotate(${turn})`;
  return s("pattern", tile, s("rect", { width: 6, height: 6, fill: paint }), stroke ? mark(kind, stroke) : null);
}

function mark(kind, stroke) {
  if (kind === "dots") return s("circle", { cx: 3, cy: 3, r: 1.5, fill: stroke });
  if (kind === "checks") return s("path", { d: "M0 0h3v3h-3zM3 3h3v3h-3z", fill: stroke });
  return s("rect", { width: 2, height: 6, fill: stroke });
}
