// Where a player's points come from, in the page's language.

import { h } from "../shared/dom.js";
import { say, signed } from "../shared/words.js";

const SAID = [
  [/^ticket (.+), completed$/, "cards.line.done"],
  [/^ticket (.+), not completed$/, "cards.line.open"],
  [/^most completed tickets to (.+)$/, "cards.line.bonus"],
];

/** Return what scoring says in English, in the page's words. */
export function lineText(what) {
  for (const [pattern, key] of SAID) {
    const found = pattern.exec(what);
    if (found) return say(key, { what: found[1].replaceAll(" - ", " – ") });
  }
  return what;
}

export function lineList(lines) {
  if (!lines.length) return h("p", { class: "soft" }, say("cards.no_points"));
  return h("ul", { class: "plain lines" }, lines.map(({ what, points }) =>
    h("li", { class: "line" }, h("span", {}, lineText(what)), h("span", { class: "sum" }, signed(points)))));
}
