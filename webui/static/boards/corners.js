// The board's four corners in the photo: dragged under a magnifier, or moved by the arrow keys.

import { address, put } from "../shared/api.js";
import { cornerRings } from "../shared/corner_rings.js";
import { fill, h } from "../shared/dom.js";
import { say } from "../shared/words.js";
import { path, take, theDraft } from "./draft.js";
import { button } from "./fields.js";
import { attempt } from "./tell.js";

const NAMES = ["boards.corner_tl", "boards.corner_tr", "boards.corner_br", "boards.corner_bl"];

/** Show the photo with its corners; `done()` is heard once they are set. */
export function showCorners(view, done) {
  const draft = theDraft();
  const rings = cornerRings({
    href: `${address(path("/photo"))}?${draft.number}`,
    size: draft.photo_px,
    corners: draft.corners_px,
    names: NAMES.map((name) => say(name)),
    label: say("boards.corners"),
  });
  const set = async (corners_px) => {
    const next = await attempt(() => put(path("/corners"), { corners_px }));
    if (next) done(take(next));
  };
  fill(view, h("p", { class: "soft" }, say("boards.corners_text")), rings.all,
    h("div", { class: "buttons" },
      button("corners-set", say("boards.corners_set"), () => set(rings.corners), { class: "primary" }),
      button("corners-all", say("boards.corners_all"), () => set([]))));
}
