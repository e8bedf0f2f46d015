// The steps in a line: which are done, what was chosen there in a few words, and the way back to each.

import { h } from "../shared/dom.js";
import { number, say } from "../shared/words.js";
import { isDone, ORDER, theSetUp } from "./choices.js";
import { boardInShort, gameInShort, playersInShort, sourceInShort } from "./in_short.js";
import { fillAnew } from "./parts.js";

const WORDS = { edition: "set_up.game", players: "set_up.players", source: "set_up.camera", calibration: "set_up.board" };
const SHORT = { edition: gameInShort, players: playersInShort, source: sourceInShort, calibration: boardInShort };

/** Show the line; what is not reached yet cannot be tapped. */
export function showProgress(place, at, go) {
  const view = theSetUp();
  const shorts = Object.fromEntries(ORDER.map((step) => [step, isDone(step) || step === view.step ? SHORT[step](view) : ""]));
  fillAnew(place, [view.step, at, shorts], () => h("ol", { class: "steps" }, ORDER.map((step, i) => {
    const isReached = isDone(step) || step === view.step;
    return h("li", {}, h("button", { type: "button", class: isDone(step) ? "step is-done" : "step", "data-key": `step-${step}`, "aria-current": step === at ? "step" : null, disabled: !isReached, on: { click: () => go(step) } },
      h("span", { class: "step-number", "aria-hidden": "true" }, isDone(step) ? "✓" : number(i + 1)),
      h("span", { class: "step-name" }, say(WORDS[step]), isDone(step) ? h("span", { class: "unseen" }, say("set_up.is_done")) : null),
      h("span", { class: "step-choice" }, shorts[step])));
  })));
}
