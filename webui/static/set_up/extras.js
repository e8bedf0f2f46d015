// What nobody needs and some like: a display beside the board, and rules of the house.

import { openDisplay } from "../shared/display.js";
import { h } from "../shared/dom.js";
import { say, sayCount } from "../shared/words.js";
import { fillAnew } from "./parts.js";

/** Show the two buttons; `go(step)` opens a step. */
export function showExtras(place, { house_rules, rules }, go) {
  const changed = Object.keys(house_rules).length;
  fillAnew(place, [house_rules, rules], () => h("section", { class: "options extras", "aria-label": say("set_up.optional") },
    extra("display", say("set_up.optional"), openDisplay),
    rules.length ? extra("rules", changed ? sayCount("set_up.rules_n", changed) : say("set_up.optional"), () => go("rules")) : null));
}

const NAMES = { display: "set_up.display", rules: "set_up.rules" };

function extra(name, text, act) {
  return h("button", { type: "button", class: "option", "data-key": `extra-${name}`, on: { click: act } }, h("strong", {}, say(NAMES[name])), h("span", { class: "soft" }, text));
}
