// A button that opens the phone's own camera, also without https; taking the picture is sending it.

import { h, icon } from "../shared/dom.js";

/** Return the button; `send(files)` gets what was taken, or chosen where there is no camera. */
export function photoButton(key, text, send, attributes = {}) {
  const input = h("input", { type: "file", accept: "image/*", capture: "environment", class: "unseen", "data-key": key, on: { change: () => {
    const files = [...input.files];
    input.value = ""; // else the same picture could not be chosen twice
    if (files.length) send(files);
  } } });
  return h("label", { class: "button photo-button wide primary", ...attributes }, icon("camera"), h("span", {}, text), input);
}
