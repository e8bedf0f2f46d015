// Four rings on a picture, dragged under a magnifier or moved by the arrow keys.

import { h, s } from "./dom.js";

const SEEN_PX = 60; // from the magnifier's middle to its edge, in the picture's pixels
const INSET = 0.06;
const FAST = 10;

/**
 * Make the picture with its rings: `all` is what is shown, `corners` where they are, in its pixels.
 *
 * `names` are the corners' own, `label` that of all, for who hears the page; corners that nobody
 * knows yet begin near the picture's.
 */
export function cornerRings({ href, size: [width, height], corners: known, names, label }) {
  const corners = known.length ? known.map((corner) => [...corner])
    : [[INSET, INSET], [1 - INSET, INSET], [1 - INSET, 1 - INSET], [INSET, 1 - INSET]].map(([x, y]) => [x * width, y * height]);
  const radius = Math.max(width, height) / 45;
  const outline = s("polygon", { class: "corner-line" });
  const rings = corners.map((_, i) => s("circle", { r: radius, class: "corner", tabindex: "0", role: "button", "aria-label": names[i], "data-corner": i }));
  const svg = s("svg", { class: "photo", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label }, s("image", { href, width, height }), outline, rings);
  const lens = s("svg", { class: "magnifier", "aria-hidden": "true" }, s("image", { href, width, height }), s("path", { class: "cross" }));

  function draw(i) {
    outline.setAttribute("points", corners.map((corner) => corner.join(",")).join(" "));
    rings.forEach((ring, n) => {
      ring.setAttribute("cx", corners[n][0]);
      ring.setAttribute("cy", corners[n][1]);
    });
    const [x, y] = corners[i];
    lens.setAttribute("viewBox", `${x - SEEN_PX} ${y - SEEN_PX} ${2 * SEEN_PX} ${2 * SEEN_PX}`);
    lens.querySelector("path").setAttribute("d", `M${x - SEEN_PX},${y}H${x + SEEN_PX}M${x},${y - SEEN_PX}V${y + SEEN_PX}`);
    lens.classList.toggle("at-right", x < width / 2); // not under the finger
  }
  const move = (i, x, y) => {
    corners[i] = [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];
    draw(i);
  };
  rings.forEach((ring, i) => {
    let grip = [0, 0]; // from the ring's middle to where it was taken: it does not jump
    const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    ring.addEventListener("focus", () => draw(i));
    ring.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      ring.focus();
      ring.setPointerCapture(event.pointerId);
      const { x, y } = at(event);
      grip = [corners[i][0] - x, corners[i][1] - y];
    });
    ring.addEventListener("pointermove", (event) => {
      if (!ring.hasPointerCapture(event.pointerId)) return;
      const { x, y } = at(event);
      move(i, x + grip[0], y + grip[1]);
    });
    ring.addEventListener("keydown", (event) => {
      const by = event.shiftKey ? FAST : 1;
      const ways = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] };
      if (!(event.key in ways)) return;
      event.preventDefault();
      move(i, corners[i][0] + ways[event.key][0], corners[i][1] + ways[event.key][1]);
    });
  });
  draw(0);
  return { all: h("div", { class: "photo-place" }, svg, lens), corners };
}
