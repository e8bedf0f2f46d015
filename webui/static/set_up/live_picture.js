// What the camera sees now: one picture after the other, each asked for when the one before is there.

import { address } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { say } from "../shared/words.js";

const PAUSE_MS = 400;

/** Return a place for the picture; `show(true)` begins, `show(false)` stops. */
export function livePicture() {
  const image = h("img", { class: "live-picture", alt: say("set_up.picture") });
  const place = h("div", { class: "live", hidden: true }, image);
  let isOn = false;
  let timer = null;
  const ask = () => {
    if (isOn && document.hidden) timer = setTimeout(ask, PAUSE_MS);
    else if (isOn) image.src = `${address("/camera.jpg")}?${Date.now()}`;
  };
  const again = () => (timer = setTimeout(ask, PAUSE_MS));
  image.addEventListener("load", () => ((place.hidden = !isOn), again()));
  image.addEventListener("error", again);
  return {
    place,
    show(mayBe) {
      if (mayBe === isOn) return;
      isOn = mayBe;
      clearTimeout(timer);
      if (isOn) ask();
      else place.hidden = true;
    },
  };
}
