// What the table saw in the phone's picture: the board's outline, and what is in doubt.

import { s } from "../shared/dom.js";
import { said } from "../shared/said.js";
import { say, sayCount } from "../shared/words.js";

const at = (id) => document.getElementById(id);
const RADIUS = 0.022; // of the picture's width

/** Show what was seen; `isSending` tells whether pictures are on their way. */
export function showSight({ outline, doubts, board, camera }, isSending) {
  const shown = at("video").hidden ? at("still") : at("video");
  const wide = shown.videoWidth || shown.naturalWidth || 16;
  const high = shown.videoHeight || shown.naturalHeight || 9;
  at("view").style.aspectRatio = `${wide} / ${high}`;
  const ring = ([x, y]) => s("ellipse", { class: "doubt", cx: x, cy: y, rx: RADIUS, ry: (RADIUS * wide) / high });
  at("marks").replaceChildren(
    ...(outline.length ? [s("polygon", { class: "outline", points: outline.map((point) => point.join(",")).join(" ") })] : []),
    ...doubts.map(ring),
  );
  document.body.dataset.sight = outline.length ? "found" : "none";
  at("state").textContent = isSending ? (outline.length ? say("camera.found") : said(board)) : said(camera);
  at("doubts").textContent = doubts.length ? sayCount("camera.doubts", doubts.length) : "";
}
