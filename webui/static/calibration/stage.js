// The picture with what is drawn over it: the board's corners, its spaces, what is read, where it glares.

import { address } from "../shared/api.js";
import { button, fill, h, s } from "../shared/dom.js";
import { paintOf } from "../shared/paint.js";
import { say } from "../shared/words.js";
import { zoomable } from "../shared/zoom.js";

/**
 * Make it for pictures of one size; `onTap(x, y, pxPerPx)` hears taps in the picture's pixels. `room` is
 * how much is shown around a picture: left, top, right, bottom, as `roomAround` returns it.
 */
export function makeStage([width, height], { onTap = null, room = [0, 0, 0, 0] } = {}) {
  const image = s("image", { width, height });
  const [spaces, glare, corners, own] = [0, 1, 2, 3].map(() => s("g", {}));
  const [left, top, right, bottom] = room;
  const [wide, high] = [left + width + right, top + height + bottom];
  const inPicture = s("g", { transform: `translate(${left} ${top})` }, image, spaces, glare, corners, own);
  const isCut = room.some((side) => side > 0);
  const svg = s("svg", { class: "stage", viewBox: `0 0 ${wide} ${high}`, tabindex: "0", role: "group", "aria-label": say("calibration.picture") }, isCut ? hatching([left, top, wide, high], [width, height]) : null, inPicture);
  svg.style.aspectRatio = `${wide} / ${high}`;
  const tapped = (event) => {
    const { x, y } = at(event);
    onTap?.(x, y, scale());
  };
  const zoom = zoomable(svg, [wide, high], { onTap: tapped, onChange: () => {} });
  const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(inPicture.getScreenCTM().inverse());
  const scale = () => 1 / svg.getScreenCTM().a; // pixels of the picture to one of the screen
  const all = h("div", {}, svg, isCut ? h("p", { class: "stage-cut-said" }, say("calibration.cut")) : null,
    h("div", { class: "calibration-row" },
      button("nearer", say("calibration.nearer"), zoom.nearer), button("farther", say("calibration.farther"), zoom.farther), button("whole", say("calibration.whole"), zoom.whole)));
  let shown = null;

  /** Load a picture before it takes the place of the one that is there. */
  function load(number) {
    if (shown === number) return;
    shown = number;
    const next = new Image();
    next.addEventListener("load", () => shown === number && image.setAttribute("href", next.src));
    next.src = address(`/calibration/picture.jpg?number=${number}`);
  }

  const polygon = (points, attributes) => s("polygon", { points: points.map((point) => point.join(",")).join(" "), ...attributes });

  return {
    all,
    svg,
    zoom,
    at,
    scale,
    own,
    polygon,
    isOf: ([w, hh], other = [0, 0, 0, 0]) => w === width && hh === height && other.every((side, i) => side === room[i]),
    load,
    /** Show a view's picture, with its corners and what is wrong where. */
    show(view, layers) {
      load(view.picture.number);
      const isShown = layers.corners && view.corners_px;
      fill(corners, isShown && isCut ? polygon(view.corners_px, { class: "stage-cut", fill: `url(#${HATCH})`, "clip-path": `url(#${BEYOND})` }) : null,
        isShown ? polygon(view.corners_px, { class: "stage-corners" }) : null);
      fill(glare, (view.verdict?.findings ?? []).flatMap((finding, i) => finding.outlines_px.flatMap((outline) => [
        polygon(outline, { class: "stage-finding" }),
        label(outline, String(i + 1), "stage-number", width),
      ])));
    },
    /** Draw all spaces, and over them what the game believes to lie there. */
    drawSpaces(list, layers, reading, routes = []) {
      const names = Object.fromEntries(routes.map((route) => [route.id, routeText(route)]));
      const seen = new Set();
      fill(spaces, list.flatMap((space) => {
        const claim = reading?.claims[space.route];
        const isAsked = reading?.asked.includes(space.route);
        const isFirst = !seen.has(space.route);
        seen.add(space.route);
        if (!layers.spaces && !claim && !isAsked) return [];
        const paint = claim ? paintOf(claim) : null;
        const mark = polygon(space.outline_px, { class: `stage-space${claim ? " is-claimed" : ""}${isAsked ? " is-asked" : ""}${space.is_nudged ? " is-nudged" : ""}`, fill: paint?.paint });
        if (isFirst && names[space.route]) mark.append(s("title", {}, names[space.route]));
        const sign = isAsked ? "?" : paint?.letter;
        return sign ? [mark, label(space.outline_px, sign, isAsked ? "stage-asked" : "stage-letter", width)] : [mark];
      }));
    },
  };
}

const HATCH = "stage-hatch";
const BEYOND = "stage-beyond";

/** Return a pattern of strokes, and a path of all that lies beyond the picture to cut it with. */
function hatching([left, top, wide, high], [width, height]) {
  const step = Math.max(wide, high) / 60;
  const beyond = `M${-left} ${-top}h${wide}v${high}h${-wide}zM0 0h${width}v${height}h${-width}z`;
  return s("defs", {},
    s("pattern", { id: HATCH, width: step, height: step, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("rect", { class: "stage-stroke", width: step / 3, height: step })),
    s("clipPath", { id: BEYOND }, s("path", { d: beyond, "clip-rule": "evenodd" })));
}

/** Return how much room around a picture shows the corners of a board that it cuts: left, top, right, bottom. */
export function roomAround(corners, [width, height]) {
  if (!corners) return [0, 0, 0, 0];
  const [xs, ys] = [0, 1].map((i) => corners.map((corner) => corner[i]));
  const beyond = [-Math.min(...xs) / width, -Math.min(...ys) / height, Math.max(...xs) / width - 1, Math.max(...ys) / height - 1];
  // In steps, so that a picture stays where it is while a hand shakes; a mirrored corner is not followed far.
  const steps = beyond.map((share) => (share < LEAST_CUT ? 0 : Math.min(MOST_ROOM, Math.ceil(share * 10 + 0.2) / 10)));
  return steps.map((share, i) => Math.round(share * (i % 2 ? height : width)));
}

const LEAST_CUT = 0.02; // of the picture's side: a rim that is cut off hides no route
const MOST_ROOM = 0.6;

/** Return what a route or a site is called. */
export function routeText(route) {
  if (route.name) return route.name;
  return route.lane ? say("calibration.lane", route) : say("calibration.route", route);
}

function label(outline, text, style, width) {
  const [x, y] = middleOf(outline);
  const size = style === "stage-number" ? width / 30 : sideOf(outline);
  return s("text", { x, y, class: style, "font-size": size }, text);
}

export function middleOf(outline) {
  return [0, 1].map((i) => outline.reduce((sum, point) => sum + point[i], 0) / outline.length);
}

/** Return the shorter side of a space. */
function sideOf([a, b, c]) {
  return Math.min(Math.hypot(a[0] - b[0], a[1] - b[1]), Math.hypot(b[0] - c[0], b[1] - c[1]));
}
