// What keeps the page from knowing: its own server does not answer, or the broker does not.

import { setText } from "../shared/dom.js";
import { now, watch } from "../shared/state.js";
import { onLost } from "../shared/stream.js";
import { say, sentence } from "../shared/words.js";

/** Say it on top, for as long as it lasts. */
export function showTrouble(place) {
  let isLost = false;
  const show = () => {
    const text = isLost ? say("hall.lost") : sentence(now().trouble ?? "");
    place.hidden = !text;
    setText(place, text);
  };
  onLost((lost) => ((isLost = lost), show()));
  watch((state) => [state.trouble], show);
}
