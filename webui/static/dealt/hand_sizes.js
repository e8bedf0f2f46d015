// Beside each player: how many cards and tickets are held, whose turn it is, and that it is a computer.

import { addTo } from "../shared/dom.js";
import { now } from "../shared/state.js";
import { say, sayCount } from "../shared/words.js";
import { showPlayersAgain } from "../table/players.js";

/** What a computer is called, by its strength. */
export const STRENGTHS = { easy: "dealt.easy", medium: "dealt.medium", hard: "dealt.hard" };

/** Let the players' rows say it. */
export function addHandSizes() {
  addTo("turn", () => (now().cards ? { seat: now().cards.turn ?? "", word: say("dealt.tag_turn") } : null));
  addTo("person", (player) => computerWord(player));
  addTo("player", (player) => {
    const { cards } = now();
    if (!cards) return null;
    return [sayCount("dealt.cards", cards.hands?.[player.seat] ?? 0), sayCount("dealt.tickets", cards.tickets?.[player.seat] ?? 0), computerWord(player)].filter(Boolean).join(" · ");
  });
  showPlayersAgain();
}

/** Return what a computer is called by its strength; null for a person. */
function computerWord({ computer }) {
  return computer in STRENGTHS ? say(STRENGTHS[computer]) : null;
}
