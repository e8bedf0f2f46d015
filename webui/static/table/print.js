// The printed score sheet: filled when somebody prints, seen on paper alone.

import { fill, h } from "./dom.js";
import { scoreTable } from "./ending.js";
import { lineText } from "./lines.js";
import { nameOf } from "./names.js";
import { now } from "./state.js";
import { winnerText } from "./tie_break.js";
import { number, say, signed } from "./words.js";

/** Have the sheet ready whenever the browser prints. */
export function printSheets(place) {
  addEventListener("beforeprint", () => fillSheet(place));
}

/** Write the sheet for the game as it is. */
export function fillSheet(place) {
  const { game, players } = now();
  fill(place, h("h1", {}, game.name || game.title), h("p", {}, game.ended ? winnerText(players).title : say("print.so_far")), scoreTable(players),
    h("div", { class: "print-columns" }, players.map((player) => h("section", {}, h("h2", {}, nameOf(player)),
      h("ul", { class: "plain" }, player.lines.map((line) => h("li", { class: "line" }, h("span", {}, lineText(line)), h("span", { class: "sum" }, signed(line.points))))),
      h("p", { class: "line" }, h("strong", {}, say("score.total")), h("strong", { class: "sum" }, number(player.points)))))),
    h("p", {}, say("share.footer")));
}
