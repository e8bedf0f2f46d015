// The printed score sheet: filled when somebody prints, seen on paper alone.

import { addition, fill, h } from "../shared/dom.js";
import { doubtText, lineText, scoreTable, winnerText } from "../shared/final_score.js";
import { nameOf } from "../shared/names.js";
import { now } from "../shared/state.js";
import { day, number, say, signed } from "../shared/words.js";

/** Have the sheet ready whenever the browser prints. */
export function printSheets(place) {
  addEventListener("beforeprint", () => fillSheet(place));
}

/** Write the sheet for the game as it is. */
function fillSheet(place) {
  const { game, players } = now();
  const { title, reason } = game.ended ? winnerText(players) : { title: say("print.so_far"), reason: doubtText(players) };
  fill(place, h("h1", {}, game.name || game.title), h("p", {}, day(Date.now() / 1000)), h("p", {}, h("strong", {}, title), " ", reason), scoreTable(players),
    h("div", { class: "print-columns" }, players.map((player) => h("section", {}, h("h2", {}, nameOf(player)),
      h("ul", { class: "plain" }, player.lines.map((line) => h("li", { class: "line" }, h("span", {}, lineText(line)), h("span", { class: "sum" }, signed(line.points))))),
      h("p", { class: "line" }, h("strong", {}, say("score.total")), h("strong", { class: "sum" }, number(player.points)))))),
    addition("paper"), h("p", {}, say("share.footer")));
}
