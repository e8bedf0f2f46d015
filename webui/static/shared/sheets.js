// What comes over the page: sheets, the line that says what was done, and the voice for screen readers.

import { post } from "./api.js";
import { button, fill, h } from "./dom.js";
import { watch } from "./state.js";
import { say } from "./words.js";

let sheets = 0;

/**
 * Open a sheet; `body()` makes what it shows and `sheet.refresh()` makes it again, as does every change of the values
 * that `follow(state, you)` picks.
 */
export function openSheet(title, body, { onClose = null, name = "", follow = null } = {}) {
  const id = `sheet-${++sheets}`;
  const opener = document.activeElement?.dataset.key;
  const main = h("div", { class: "sheet-body" });
  const close = button(null, "×", () => dialog.close(), { class: "sheet-close", "aria-label": say("sheet.close") });
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
    unwatch?.();
    onClose?.();
    if (document.activeElement === document.body) focusAgain(opener);
  });
  sheet.refresh();
  const unwatch = follow && watch(follow, (_, before) => before && sheet.refresh());
  // What was said of something else would lie over what is asked here.
  if (!place().classList.contains("trouble")) hide();
  document.body.append(dialog);
  dialog.showModal();
  keepVoices();
  heading.focus({ preventScroll: true });
  return sheet;
}

/** The keyboard is where it was before a sheet, also where that was drawn anew; else at the part of the page that is shown. */
function focusAgain(key) {
  const there = key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  (there || document.querySelector("[role=tab][aria-selected=true]"))?.focus({ preventScroll: true });
}

/** What lies under an open sheet can be neither tapped nor heard: messages move to the topmost one. */
export function keepVoices(leaving = null) {
  const open = [...document.querySelectorAll("dialog[open]")].filter((dialog) => dialog !== leaving);
  const home = open.at(-1) ?? document.querySelector("main");
  home.append(document.getElementById("toast"), document.getElementById("said"));
}

function isBeside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  return event.clientY < box.top || event.clientY > box.bottom || event.clientX < box.left || event.clientX > box.right;
}

/** Ask before something that everyone would feel; where it is risky, not to do it comes first. Gives back the sheet. */
export function confirmSheet(title, text, yes, act, { isRisky = false, onClose = null } = {}) {
  return openSheet(title, (sheet) => [
    h("p", {}, text),
    h("div", { class: "choices" },
      button(null, yes, () => (sheet.close(), act()), { class: isRisky ? null : "primary" }),
      button(null, say("sheet.cancel"), () => sheet.close(), { class: isRisky ? "primary" : null })),
  ], { onClose });
}

// After every change a line that says what was done, with Undo in reach of the thumb.

const SHOWN_MS = 9000;
const place = () => document.getElementById("toast");
let timer = null;

/** Say what was done, and show `more`; `undo()` takes it back, or does again what was just taken back; `offer` is what else can be done. */
export function toast(text, { more = "", undo = null, undoText = null, offer = null, isTrouble = false } = {}) {
  const back = () => (hide(), undo());
  fill(place(), h("p", {}, [text, more].filter(Boolean).join(" ")),
    offer ? button("toast-offer", offer.text, () => (hide(), offer.act()), { class: "toast-offer" }) : null,
    undo ? button(null, undoText ?? say("undo.button"), back, { class: "toast-undo" }) : null,
    button(null, "×", hide, { class: "toast-close", "aria-label": say("toast.close") }));
  place().classList.toggle("trouble", isTrouble);
  place().hidden = false;
  announce(text);
  wait();
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => (place().matches(":hover, :focus-within") ? wait() : hide()), SHOWN_MS);
}

/** Take away what was said. */
export function hide() {
  clearTimeout(timer);
  place().hidden = true;
}

// One polite voice for screen readers: what happened, not every number that moved.

const QUIET_MS = 700;

let waiting = [];
let quiet = null;

/** Say something when it has been quiet for a moment; what came together is said together. */
export function announce(text) {
  if (!text || waiting.includes(text)) return;
  waiting = [...waiting, text].slice(-3);
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    document.getElementById("said").textContent = waiting.join(" ");
    waiting = [];
  }, QUIET_MS);
}

// Things done on the server, each followed by a line that says what was done, with Undo, or why not.

/**
 * Do something on the server and say what was done, or why not; gives back its answer, null for no.
 *
 * Undo takes back the event that the answer names, unless `undo` is a function that does it. `more` is shown and not read
 * aloud: the list of what happened says it. `offer` as of `toast`.
 */
export async function attempt(act, done = "", undo = null, more = "", offer = null) {
  try {
    const answer = await act();
    const event = answer?.undo?.event;
    if (done) toast(done, { more, offer, undo: undo ?? (event ? () => takeBack(event) : null) });
    return answer;
  } catch (error) {
    if (error.status === undefined) throw error;
    toast(error.message, { isTrouble: true });
    return null;
  }
}

export async function takeBack(event) {
  const answer = await attempt(() => post("/undo", { event }));
  if (answer) toast(say("undo.done"), { undo: () => putBack(event), undoText: say("redo.button") });
}

export async function putBack(event) {
  await attempt(() => post("/redo", { event }), say("redo.done"), () => takeBack(event));
}
