// The picture with what is drawn over it: the board's corners, its spaces, what is read, where it glares.

import { address } from "../shared/api.js";
import { button, fill, h, s } from "../shared/dom.js";
import { paintOf } from "../shared/paint.js";
import { say } from "../shared/words.js";
import { zoomable } from "../shared/zoom.js";

/** Make it for pictures of one size; `onTap(x, y, pxPerPx)` hears taps in the picture's pixels. */
export function makeStage([width, height], { onTap = null } = {}) {
  const image = s("image", { width, height });
  const [spaces, glare, corners, own] = [0, 1, 2, 3].map(() => s("g", {}));
  const svg = s("svg", { class: "stage", viewBox: `0 0 ${width} ${height}`, tabindex: "0", role: "group", "aria-label": say("calibration.picture") }, image, spaces, glare, corners, own);
  svg.style.aspectRatio = `${width} / ${height}`;
  const tapped = (event) => {
    const { x, y } = at(event);
    onTap?.(x, y, scale());
  };
  const zoom = zoomable(svg, [width, height], { onTap: tapped, onChange: () => {} });
  const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const scale = () => 1 / svg.getScreenCTM().a; // pixels of the picture to one of the screen
  const all = h("div", {}, svg,
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
    isOf: ([w, hh]) => w === width && hh === height,
    load,
    /** Show a view's picture, with its corners and what is wrong where. */
    show(view, layers) {
      load(view.picture.number);
      fill(corners, layers.corners && view.corners_px ? polygon(view.corners_px, { class: "stage-corners" }) : null);
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
