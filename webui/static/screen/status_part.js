// What keeps the game from going on, and what all should know, in a line or two that nobody has to fetch.

import { fill, h } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { now, seated, watch } from "../shared/state.js";
import { onLost } from "../shared/stream.js";
import { say, sayCount, sentence } from "../shared/words.js";

const MOST = 2;

/** Show it, the most urgent first; nothing where all is well. */
export function showStatus(place) {
  let isLost = false;
  const show = () => {
    const lines = linesOf(now(), isLost).slice(0, MOST);
    fill(place, lines.map(([mood, text]) => h("p", { class: `rs-notice rs-${mood}`, role: "status" }, text)));
    place.hidden = !lines.length;
  };
  watch((state) => [state.table, state.game, state.phase, state.questions, state.players], show);
  onLost((lost) => {
    isLost = lost;
    show();
  });
}

function linesOf({ game, phase, table, questions }, isLost) {
  const by = seated(game.last_turns_by);
  const lines = [
    isLost && ["bad", say("lost.text")],
    table.trouble && ["bad", say("trouble.text", { trouble: table.trouble })],
    game.ended ? phase === "show_tickets" && ["good", `${say("ending.title")}. ${say("ending.guest")}`] : runningLine(game, table),
    questions.length && ["heed", sayCount("screen.question", questions.length)],
    by && !game.ended && ["good", `${say("last_turns.title")} ${say("last_turns.by", { name: nameOf(by) })}`],
  ];
  return lines.filter(Boolean);
}

function runningLine(game, table) {
  if (table.rebuilding) return ["heed", say("status.rebuilding")];
  if (game.packed_away) return ["heed", say("status.packed")];
  if (table.hindrance) return [table.hindrance.kind === "paused" ? "heed" : "bad", sentence(table.hindrance.said)];
  if (game.paused) return ["heed", say("status.paused")];
  if (table.is_over) return ["bad", say("status.over")];
  return table.joining ? ["heed", say("screen.joining")] : null;
}
