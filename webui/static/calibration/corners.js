// A person shows where the board's corners are in the picture.

import { address, put } from "../shared/api.js";
import { cornerRings } from "../shared/corner_rings.js";
import { fill, h } from "../shared/dom.js";
import { say } from "../shared/words.js";
import { act, button } from "./tell.js";

const NAMES = ["calibration.corner_tl", "calibration.corner_tr", "calibration.corner_br", "calibration.corner_bl"];

/** Let the corners be moved on the picture that was shown; once they are set, the profile is made of it. */
export function editCorners({ view, picture, tools, told, leave }) {
  const { number, size_px } = view.picture;
  const rings = cornerRings({
    href: address(`/calibration/picture.jpg?number=${number}`),
    size: size_px,
    corners: view.corners_px ?? [],
    names: NAMES.map((name) => say(name)),
    label: say("calibration.corners_label"),
  });
  const edge = h("input", { type: "checkbox", id: "corners-edge", "data-key": "corners-edge", checked: true });
  const set = async (corners_px) => {
    const next = await act(() => put("/calibration/corners", { corners_px, picture: number, is_exact: !edge.checked }));
    if (!next) return;
    leave();
    told(next);
  };
  fill(picture, rings.all);
  fill(tools, h("p", { class: "soft" }, say("calibration.corners_text")),
    h("label", { class: "check", for: "corners-edge" }, edge, h("span", {}, say("calibration.corners_edge"))),
    h("div", { class: "calibration-row" },
      button("corners-set", say("calibration.corners_set"), () => set(rings.corners), { class: "primary" }),
      button("corners-find", say("calibration.corners_find"), () => set([])),
      button("corners-back", say("calibration.back"), leave)));
  picture.querySelector("[data-corner='0']").focus({ preventScroll: true });
  return {};
}
