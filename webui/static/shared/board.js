// The board on the page: a drawing that can be looked at closely, on which routes are tapped and players' paths lit up.

import { draw, lightUp, parts, showNames, writeNames } from "./board_drawing.js";
import { button, car, fill, h, icon } from "./dom.js";
import { nameOf } from "./names.js";
import { paintOf } from "./paint.js";
import { openRoutes, openSpot } from "./route_sheets.js";
import { now, seated, theBoard, watch } from "./state.js";
import { pathLength, say } from "./words.js";
import { zoomable } from "./zoom.js";

const NAME_PX = 12.5;
const LETTERS_FROM = 1.15; // pixels a millimetre; below, a letter on a car cannot be read
const SHARED_MM = 11.5; // height of the names in a picture that is sent to others

const labelCache = new Map();
let svg = null;
let zoom = null;
let litSeat = null;

/** Draw the board into its place and keep it as the game goes. */
export async function drawBoard(place) {
  await draw({ role: "application", tabindex: 0, "aria-label": say("board.label"), "aria-describedby": "board-help" }, (made) => {
    svg = made;
    place.replaceChildren(h("div", { class: "board-place" }, svg), h("p", { id: "board-help", class: "unseen" }, say("board.help")), tools(), h("div", { class: "paths", role: "group", "aria-label": say("board.paths") }));
  });
  zoom = zoomable(svg, theBoard().size_mm, { onTap: tapped, onChange: scaled });
  watch((state) => [state.players], () => showPaths(place.querySelector(".paths")));
}

function scaled(pxPerMm) {
  svg.classList.toggle("has-letters", pxPerMm >= LETTERS_FROM);
  const step = Math.round(Math.log2(pxPerMm) * 3);
  if (!labelCache.has(step)) labelCache.set(step, writeNames(NAME_PX / pxPerMm));
  showNames(labelCache.get(step));
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
  litSeat = seat;
  lightUp(routes);
  if (isShown && svg && routes.length) zoom.show(routes.flatMap((id) => parts.get(`route:${id}`)?.spaces ?? []).map((space) => space.xy_mm));
}

/** Show a button for each player that lights up the longest path; a second tap puts it out. */
function showPaths(place) {
  fill(place, now().players.map((player) => button(`path-${player.seat}`, [
    car(paintOf(player.colour)), h("span", {}, say("board.path", { name: nameOf(player), n: pathLength(player) })),
  ], () => togglePath(player.seat, place), { class: "path", "aria-pressed": String(litSeat === player.seat) })));
  const player = seated(litSeat);
  if (player) light(player.path_routes, { seat: litSeat });
}

function togglePath(seat, place) {
  if (litSeat === seat) light([]);
  else light(seated(seat).path_routes, { seat });
  showPaths(place);
}

function tools() {
  const tool = (name, text, act) => button(null, icon(name), () => act(), { "aria-label": text });
  return h("div", { class: "tools" },
    tool("nearer", say("board.nearer"), () => zoom.nearer()),
    tool("farther", say("board.farther"), () => zoom.farther()),
    tool("whole", say("board.whole"), () => (light([]), showPaths(svg.closest("#board").querySelector(".paths")), zoom.whole())),
    button(null, [icon("map"), say("routes.title")], openRoutes, { class: "all-routes" }));
}

/** Return the board as it is drawn, in one piece, for a picture of it. */
export function boardPicture() {
  const copy = svg.cloneNode(true);
  const size = theBoard().size_mm;
  copy.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
  copy.setAttribute("class", "board has-letters");
  copy.querySelector(".names").replaceChildren(...writeNames(SHARED_MM));
  return { svg: copy, size };
}
