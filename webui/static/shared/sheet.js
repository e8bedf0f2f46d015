// A sheet that rises from below on a phone and stands in the middle elsewhere.

import { fill, h } from "./dom.js";
import { say } from "./words.js";

let sheets = 0;

/** Open a sheet; `body()` makes what it shows and `sheet.refresh()` makes it again. */
export function openSheet(title, body, { onClose = null, name = "" } = {}) {
  const id = `sheet-${++sheets}`;
  const main = h("div", { class: "sheet-body" });
  const close = h("button", { type: "button", class: "sheet-close", "aria-label": say("sheet.close"), on: { click: () => dialog.close() } }, "×");
  const heading = h("h2", { id, tabindex: "-1" }, title);
  const dialog = h("dialog", { class: `sheet ${name}`, "aria-labelledby": id }, h("div", { class: "sheet-head" }, heading, close), main);
  const sheet = {
    dialog,
    close: () => dialog.close(),
    refresh: () => fill(main, body(sheet)),
    retitle: (text) => (heading.textContent = text),
  };
  // A tap beside it closes it: the dialog's own area is the backdrop's, its children cover the rest.
  dialog.addEventListener("click", (event) => event.target === dialog && isBeside(dialog, event) && dialog.close());
  dialog.addEventListener("close", () => {
    keepVoices(dialog);
    dialog.remove();
    onClose?.();
  });
  sheet.refresh();
  document.body.append(dialog);
  dialog.showModal();
  keepVoices();
  heading.focus({ preventScroll: true });
  return sheet;
}

/** What lies under an open sheet can be neither tapped nor heard: messages move to the topmost one. */
function keepVoices(leaving = null) {
  const open = [...document.querySelectorAll("dialog[open]")].filter((dialog) => dialog !== leaving);
  const home = open.at(-1) ?? document.querySelector("main");
  home.append(document.getElementById("toast"), document.getElementById("said"));
}

function isBeside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  return event.clientY < box.top || event.clientY > box.bottom || event.clientX < box.left || event.clientX > box.right;
}

/** Ask before something that everyone would feel. */
export function confirmSheet(title, text, yes, act) {
  openSheet(title, (sheet) => [
    h("p", {}, text),
    h("div", { class: "choices" },
      h("button", { type: "button", class: "primary", on: { click: () => (sheet.close(), act()) } }, yes),
      h("button", { type: "button", on: { click: () => sheet.close() } }, say("sheet.cancel"))),
  ]);
}
