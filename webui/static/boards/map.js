// The board from above with its places and routes drawn over it; what is tapped, and dragged.

import { address } from "../shared/api.js";
import { button, h, s } from "../shared/dom.js";
import { say } from "../shared/words.js";
import { zoomable } from "../shared/zoom.js";
import { path, placeName, theDraft } from "./draft.js";

/**
 * Make the map. `onTap({route, space, place, x, y})` hears taps, with millimetres on the board;
 * `onMove(what, x, y)` that something was dragged there.
 */
export function makeMap({ onTap, onMove }) {
  const [width, height] = theDraft().size_mm;
  const image = s("image", { width, height, preserveAspectRatio: "none" });
  const layer = s("g", {});
  const svg = s("svg", { class: "board making", viewBox: `0 0 ${width} ${height}`, tabindex: "0", role: "group", "aria-label": say("boards.map") }, image, layer);
  const zoom = zoomable(svg, [width, height], { onTap: tapped, onChange: () => {} });
  const all = h("div", {}, h("div", { class: "board-place" }, svg),
    h("div", { class: "tools" }, button("nearer", say("boards.nearer"), zoom.nearer), button("farther", say("boards.farther"), zoom.farther), button("whole", say("boards.whole"), zoom.whole)));
  let shown = "";
  let drag = null; // where what is dragged was taken
  let waiting = null; // what was to be drawn meanwhile: it would take the dragged mark away

  const at = (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return { x: Math.min(width, Math.max(0, x)), y: Math.min(height, Math.max(0, y)) };
  };
  function tapped(event) {
    const { route, space, place } = event.target.dataset;
    onTap({ route: route ? Number(route) : null, space: space === undefined ? null : Number(space), place: place ?? null, ...at(event) });
  }

  /** Let an element be dragged to where it is to be. */
  function draggable(element, what) {
    element.classList.add("handle");
    element.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      drag = at(event);
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const to = at(event);
      element.style.translate = `${to.x - drag.x}px ${to.y - drag.y}px`;
    });
    const end = () => {
      drag = null;
      if (waiting) draw(waiting);
    };
    element.addEventListener("pointerup", (event) => {
      const to = at(event);
      const [dx, dy] = drag ? [to.x - drag.x, to.y - drag.y] : [0, 0];
      end();
      if (Math.hypot(dx, dy) > 0.7) onMove(what, dx, dy);
    });
    element.addEventListener("pointercancel", () => ((element.style.translate = ""), end()));
  }

  function spaceMark(route, space, index, chosen) {
    const [length, wide] = space.size_mm;
    const [x, y] = space.xy_mm;
    const isChosen = chosen.route === route.number;
    const mark = s("rect", { x: x - length / 2, y: y - wide / 2, width: length, height: wide, rx: 1.2, transform: `rotate(${space.angle_deg} ${x} ${y})`, "data-route": route.number, "data-space": index,
      class: ["mark", `print-${route.colour}`, route.is_accepted ? "is-settled" : "", route.doubts.length ? "is-doubted" : "", isChosen ? "is-chosen" : "", isChosen && chosen.space === index ? "is-space" : ""].join(" ") });
    if (isChosen && chosen.space === index) draggable(mark, { route: route.number, space: index });
    return mark;
  }

  /** Return a site's space, in the first of its colours, and the way to its station. */
  function siteMark({ station, colours, space }) {
    const [length, wide] = space.size_mm;
    const [x, y] = space.xy_mm;
    const [x1, y1] = theDraft().places.find((place) => place.id === station)?.xy_mm ?? [x, y];
    return [s("line", { class: "course", x1, y1, x2: x, y2: y }),
      s("rect", { x: x - length / 2, y: y - wide / 2, width: length, height: wide, transform: `rotate(${space.angle_deg} ${x} ${y})`, class: `mark is-settled site print-${colours[0] ?? "grey"}` })];
  }

  /** Draw the draft with what is chosen, once nothing is dragged. */
  function draw(chosen) {
    waiting = drag ? chosen : null;
    if (drag) return;
    const draft = theDraft();
    const href = `${address(path("/above"))}?${draft.corners_px.join()}`;
    if (href !== shown) image.setAttribute("href", (shown = href));
    layer.replaceChildren(
      ...draft.loose.map((space) => s("circle", { cx: space.xy_mm[0], cy: space.xy_mm[1], r: 3, class: "loose" })),
      ...draft.site_marks.filter((site) => site.space).flatMap(siteMark),
      ...draft.routes.flatMap((route) => route.spaces.map((space, i) => spaceMark(route, space, i, chosen))),
      ...draft.routes.filter((route) => route.number === chosen.route).map((route) => ends(route)),
      ...draft.places.flatMap((place) => {
        const isChosen = chosen.place === place.id;
        const [x, y] = place.xy_mm;
        const dot = s("circle", { cx: x, cy: y, r: 4, "data-place": place.id, class: ["place", isChosen ? "is-chosen" : "", place.is_proposed ? "is-proposed" : ""].join(" ") });
        if (isChosen) draggable(dot, { place: place.id });
        return [dot, s("text", { x: x + 6, y: y + 3, class: "place-name" }, placeName(place.id))];
      }));
  }

  return { all, zoom, draw };

  function ends(route) {
    const points = [route.a, ...route.spaces, route.b].map((one) => (typeof one === "string" ? theDraft().places.find((place) => place.id === one)?.xy_mm : one.xy_mm));
    return s("polyline", { class: "course", points: points.filter(Boolean).map((point) => point.join(",")).join(" ") });
  }
}
