// The last turns: said in a large line, with who has played, and the way to the end.

import { post } from "../shared/api.js";
import { addTo, button, fill, h, icon } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { announce, attempt } from "../shared/sheets.js";
import { mayChange, now, seated, watch } from "../shared/state.js";
import { say } from "../shared/words.js";
import { whenAtRest } from "./motion.js";
import { showPlayersAgain } from "./players.js";

/** Say in a large line that the last turns have begun, and offer the end: it is red once the very last turn was seen. */
export function showLastTurns(place, foot) {
  addTo("tag", (player) => (hasPlayed(player) && !now().game.ended ? [say("tag.played"), "tag-played"] : null));
  const draw = () => {
    const { last_turns_by: seat, ended } = now().game;
    const by = ended ? null : seated(seat);
    if (by && place.hidden) announce(say("last_turns.said", { name: nameOf(by) }));
    place.hidden = !by;
    foot.hidden = !by || Boolean(now().cards) || !mayChange();
    if (!by) return fill(foot);
    const end = () => attempt(() => post("/end"), say("end.done"));
    fill(place, h("strong", {}, say("last_turns.title")), h("span", {}, say("last_turns.by", { name: nameOf(by) })));
    fill(foot, button("all-played", [icon("flag"), say("end.button")], end, { class: hasPlayed(by) ? "primary wide" : "wide" }));
  };
  watch((state, you) => [state.game.last_turns_by, state.game.ended, state.players, state.log, you, state.cards], () => whenAtRest(draw));
  showPlayersAgain();
}

/** Tell whether a player was seen to have the last turn: drawing cards leaves no trace. */
function hasPlayed({ colour }) {
  const { log, game } = now();
  const begun = log.findLastIndex?.((event) => event.kind === "last_turns_begun" && !event.is_undone) ?? -1;
  return Boolean(game.last_turns_by) && begun >= 0 && log.slice(begun + 1).some((event) => /_(claimed|built)$/.test(event.kind) && !event.is_undone && event.fact.colour === colour);
}
