// The code that lets a phone be the camera, where the table watches through one.

import { get } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { openSheet } from "../shared/sheet.js";
import { attempt } from "../shared/toast.js";
import { say } from "../shared/words.js";

/** Return the card with the button that shows it. */
export function cameraCard() {
  return h("section", { class: "card" }, h("h3", {}, say("camera_code.title")), h("p", {}, say("camera_code.text")),
    h("button", { type: "button", class: "wide", "data-key": "camera-code", on: { click: show } }, say("camera_code.show")));
}

/** It works once, so it is asked for anew each time. */
async function show() {
  const codes = await attempt(() => get("/codes"));
  if (!codes?.camera) return;
  const picture = URL.createObjectURL(new Blob([codes.camera.svg], { type: "image/svg+xml" }));
  openSheet(say("camera_code.title"), () => [
    h("p", {}, say("camera_code.once")),
    h("img", { class: "qr", alt: say("camera_code.code"), src: picture }),
    h("p", { class: "link" }, codes.camera.url),
  ], { onClose: () => URL.revokeObjectURL(picture) });
}
