// The phase of the table: at a change this page moves there once. Who types, or is at something else that is owed, gets a card that leads there.

import { button, fill, h } from "../shared/dom.js";
import { me, now, watch } from "../shared/state.js";
import { say } from "../shared/words.js";
import { whenAtRest } from "./motion.js";
import { shownTab, showTab } from "./tabs.js";
import { isLater, ownTickets } from "./tickets.js";

const VIEWS = { tickets: "tickets", last_turns: "score", show_tickets: "score", counting: "score", winner: "score" };
const TEXTS = { tickets: "tickets.choose_title", last_turns: "last_turns.title", show_tickets: "ending.title", counting: "ceremony.title", winner: "log.counted" };
const TYPED = ":is(input:not([type=checkbox], [type=radio], [type=range]), textarea)";
const KEPT = "railspotter.phase";

let waiting = null; // the phase that this phone was not moved to, for somebody typed
let isHeldBack = false; // only until the sheet that asks for a name is closed
let moved = null; // the phase that it was moved to

/** Tell whether somebody is typing here, or has a draft in an open sheet. */
export function isTyping() {
  const isDraft = (field) => field.value !== field.defaultValue;
  return Boolean(document.activeElement?.matches(TYPED)) || [...document.querySelectorAll(`dialog[open] ${TYPED}`)].some(isDraft);
}

/** Tell whether this phone is asked for a name: one question at a time. */
const isNaming = () => Boolean(document.querySelector("dialog[open] #seat-name"));

/** Follow the table's phases; the card stands in a place, or in the sheet that lies over it. */
export function followPhases(place) {
  const card = h("div", { class: "phase-card", hidden: true });
  const draw = () => {
    const phase = owed();
    card.hidden = !phase;
    (document.querySelector("dialog[open]:not(.ceremony)") ?? place).prepend(card);
    if (card.dataset.phase === (phase ?? "")) return;
    card.dataset.phase = phase ?? "";
    fill(card, phase ? [h("strong", {}, say(TEXTS[phase])), button("phase", say("phase.go"), () => go(phase))] : null);
  };
  watch((state, you) => [state.phase, state.game.id, you.seat, state.cards], ([phase, id, seat], before) => {
    if (before ? before[0] !== phase || (phase === "tickets" && before[2] !== seat) : phase === "tickets" && isNewHere(id, phase)) enter(phase);
    keep(id, phase);
    whenAtRest(draw);
  });
  for (const type of ["shown", "hand"]) addEventListener(type, draw);
  const closed = () => {
    if (waiting && isHeldBack && !isNaming()) go(waiting);
    draw();
  };
  document.addEventListener("close", closed, true); // of a sheet, which does not bubble
  document.addEventListener("toggle", draw, true);
}

function enter(phase) {
  waiting = null;
  const isBack = phase === "play" && moved === "tickets" && shownTab() === "tickets" && !now().cards; // nobody is taken from what they chose to look at
  const isAtCards = phase === "last_turns" && now().cards; // with which turns are made
  const view = isBack ? "score" : isAtCards ? null : VIEWS[phase];
  if (!view || (phase === "tickets" && !me().seat)) return;
  isHeldBack = isNaming();
  if (isHeldBack || isTyping()) waiting = isBack ? null : phase;
  else go(phase, view);
}

function go(phase, view = VIEWS[phase]) {
  waiting = null;
  moved = phase;
  for (const dialog of document.querySelectorAll("dialog[open]:not(.ceremony)")) dialog.close();
  showTab(view);
  dispatchEvent(new CustomEvent("phase", { detail: phase }));
}

/** Return the phase that this phone should be led to; null where it is there, or nothing is owed. */
function owed() {
  const { phase, cards } = now();
  if (isNaming()) return null;
  if (waiting) return waiting;
  if (["seats", "tickets"].includes(phase)) return me().seat && !cards && !isLater() && !ownTickets().length && shownTab() !== "tickets" ? "tickets" : null;
  return phase === "show_tickets" && shownTab() !== "score" ? phase : null;
}

/** A page that is loaded anew is moved only to a phase that it was not moved to before. */
function isNewHere(id, phase) {
  return sessionStorage.getItem(KEPT) !== `${id} ${phase}`;
}

function keep(id, phase) {
  sessionStorage.setItem(KEPT, `${id} ${phase}`);
}
