// The board's four corners in the photo: dragged under a magnifier, or moved by the arrow keys.

import { address, put } from "../table/api.js";
import { fill, h, s } from "../table/dom.js";
import { say } from "../table/words.js";
import { path, take, theDraft } from "./draft.js";
import { button } from "./fields.js";
import { attempt } from "./tell.js";

const NAMES = ["boards.corner_tl", "boards.corner_tr", "boards.corner_br", "boards.corner_bl"];
const SEEN_PX = 60; // from the magnifier's middle to its edge, in the photo's pixels

/** Show the photo with its corners; `done()` is heard once they are set. */
export function showCorners(view, done) {
  const draft = theDraft();
  const [width, height] = draft.photo_px;
  const inset = 0.06;
  const corners = draft.corners_px.length ? draft.corners_px.map((corner) => [...corner])
    : [[inset, inset], [1 - inset, inset], [1 - inset, 1 - inset], [inset, 1 - inset]].map(([x, y]) => [x * width, y * height]);
  const href = `${address(path("/photo"))}?${draft.number}`;
  const size = Math.max(width, height) / 45;
  const outline = s("polygon", { class: "corner-line" });
  const handles = corners.map((_, i) => s("circle", { r: size, class: "corner", tabindex: "0", role: "button", "aria-label": say(NAMES[i]), "data-corner": i }));
  const svg = s("svg", { class: "photo", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": say("boards.corners") }, s("image", { href, width, height }), outline, handles);
  const lens = s("svg", { class: "magnifier", "aria-hidden": "true" }, s("image", { href, width, height }), s("path", { class: "cross" }));

  function draw(i) {
    outline.setAttribute("points", corners.map((corner) => corner.join(",")).join(" "));
    handles.forEach((handle, n) => {
      handle.setAttribute("cx", corners[n][0]);
      handle.setAttribute("cy", corners[n][1]);
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
  handles.forEach((handle, i) => {
    handle.addEventListener("focus", () => draw(i));
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      move(i, at.x, at.y);
    });
    handle.addEventListener("keydown", (event) => {
      const by = event.shiftKey ? 20 : 1;
      const ways = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] };
      if (!(event.key in ways)) return;
      event.preventDefault();
      move(i, corners[i][0] + ways[event.key][0], corners[i][1] + ways[event.key][1]);
    });
  });
  const set = async (corners_px) => {
    const next = await attempt(() => put(path("/corners"), { corners_px }));
    if (next) done(take(next));
  };
  fill(view, h("p", { class: "soft" }, say("boards.corners_text")),
    h("div", { class: "photo-place" }, svg, lens),
    h("div", { class: "buttons" },
      button("corners-set", say("boards.corners_set"), () => set(corners), { class: "primary" }),
      button("corners-all", say("boards.corners_all"), () => set([]))));
  draw(0);
}
