// What the camera sees of a spot, upright: the spaces that are asked about are outlined, their neighbours have names.

import { address } from "../shared/api.js";
import { button, h, s } from "../shared/dom.js";
import { openSheet } from "../shared/sheets.js";
import { theBoard } from "../shared/state.js";

const STATION_MM = 18;
const ROOM_MM = 3; // between a space and the line around it, so that the line hides no train
const NAME_MM = 6;

/** Return the picture that came with questions about lanes of one route, or one spot; a tap enlarges it. */
export function spotPicture(questions, alt) {
  const open = () => openSheet(alt, () => figure(questions, alt), { name: "tall" });
  return button("enlarge", figure(questions, alt), open, { class: "spot-picture" });
}

/** Return the picture of what is asked about, with outlines and names over it. */
export function figure(questions, alt) {
  const [{ crop, shown_mm: [left, top, width, height] }] = questions;
  const isShown = ([x, y]) => x > left && x < left + width && y > top && y < top + height;
  const places = theBoard().places.filter((place) => isShown(place.xy_mm));
  const shown = h("span", { class: "spot-figure" },
    h("img", { src: address(crop), alt }),
    s("svg", { viewBox: `${left} ${top} ${width} ${height}`, "aria-hidden": "true" },
      questions.flatMap(outlines), places.map((place) => name(place, questions[0].shown_mm))));
  shown.style.setProperty("--shape", String(width / height));
  return shown;
}

/** A name stands beside its place, away from what is asked about, and never beyond the picture's edge. */
function name({ name: text, xy_mm: [x, y] }, [left, top, width, height]) {
  const half = (text.length * 0.36 + 0.2) * NAME_MM;
  const beside = y + NAME_MM * (y < top + height / 2 ? -1 : 1.7);
  const clamped = (at, least, most) => Math.min(Math.max(at, least), most);
  return s("text", { x: clamped(x, left + half, left + width - half), y: clamped(beside, top + NAME_MM, top + height - 0.4 * NAME_MM), "font-size": NAME_MM }, text);
}

/** Return the outlines of a spot's spaces, in the board's millimetres. */
export function outlines({ kind, about }) {
  const board = theBoard();
  if (kind === "station") {
    const [cx, cy] = board.place[about].xy_mm;
    return [s("circle", { cx, cy, r: STATION_MM / 2 })];
  }
  const spaces = kind === "site" ? [board.site[about].space] : board.route[about].spaces;
  return spaces.map(({ xy_mm: [x, y], angle_deg: angle, size_mm: [long, wide] }) =>
    s("rect", { x: -long / 2 - ROOM_MM / 2, y: -wide / 2 - ROOM_MM, width: long + ROOM_MM, height: wide + 2 * ROOM_MM, rx: 2, transform: `translate(${x} ${y}) rotate(${angle})` }));
}
