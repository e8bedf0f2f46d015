// Whose turn it is and what was done last, in a sentence each; of what was drawn only what everybody saw.

import { nameOfSeat, spotName } from "../shared/names.js";
import { now, seated } from "../shared/state.js";
import { list, number, say, sayCount } from "../shared/words.js";
import { isTaxi, nameOfCard } from "../shared/train_card.js";
import { LOCOMOTIVE } from "../shared/train_cards.js";

/** Return a player's name as sentences have it; a computer is called one. */
export function playerName(seat) {
  const name = nameOfSeat(seat);
  return seated(seat)?.computer ? say("dealt.computer", { name }) : name;
}

/** Return cards in words: "3 red and 1 locomotive". */
export function cardsInWords(cards) {
  const words = ([card, n]) => (card === LOCOMOTIVE && !isTaxi() ? sayCount("dealt.n_locomotives", n) : say("dealt.n_cards", { n: number(n), card: nameOfCard(card) }));
  return list(Object.entries(cards).filter(([, n]) => n).map(words));
}

/** Tell whether the game begins, and everybody chooses; later one who is dealt tickets anew chooses alone. */
export const isBeginning = ({ phase, turn }) => phase === "first_tickets" && !turn;

/** Return who has to do something now. */
export function turnText({ phase, turn, choosing }) {
  if (phase === "over") return say("dealt.over");
  if (phase === "first_tickets") return say("dealt.all_choose", { names: list(choosing.map(playerName)) });
  return turn ? say("dealt.turn_of", { name: playerName(turn) }) : "";
}

/** Return what may be done at the beginning of a turn; without a camera nobody sees what is laid. */
export const beginText = () => say(now().table.has_camera ? "dealt.step_begin" : "dealt.step_begin_camera_none");

const DOING = { drawing: "dealt.doing_drawing", choosing: "dealt.doing_choosing" };

/** Return what somebody is in the middle of, or a computer waits for; the empty text between turns. */
export function doingText({ doing, turn, to_lay: waiting }) {
  if (!doing) return seated(turn)?.computer && waiting.some(({ seat }) => seat === turn) ? say("dealt.doing_waiting", { name: playerName(turn) }) : "";
  const name = playerName(doing.seat);
  if (doing.what === "tunnel") return sayCount("dealt.doing_tunnel", doing.more, { name, spot: spotName(doing.spot) });
  return doing.what in DOING ? say(DOING[doing.what], { name }) : "";
}

const LAST = {
  drew_card: ({ name }) => say("dealt.last_drew_card", { name }),
  took_card: ({ name, card }) => say("dealt.last_took_card", { name, card: nameOfCard(card) }),
  drew_tickets: ({ name }) => say("dealt.last_drew_tickets", { name }),
  kept_tickets: ({ name, count }) => sayCount("dealt.last_kept_tickets", count, { name }),
  paid: (last) => say("dealt.last_paid", paid(last)),
  paid_more: ({ name, cards }) => say("dealt.last_paid_more", { name, cards: cardsInWords(cards) }),
  left_tunnel: ({ name }) => say("dealt.last_left_tunnel", { name }),
  came_in: ({ name }) => say("dealt.last_came_in", { name }),
  dealt_anew: ({ name }) => say("dealt.last_dealt_anew", { name }),
  passed: ({ name }) => say("dealt.last_passed", { name }),
  had_back: ({ name, spot }) => say("dealt.last_had_back", { name, spot: spotName(spot) }),
};

const paid = ({ name, spot, cards }) => ({ name, spot: spotName(spot), cards: cardsInWords(cards) });

/** Return what was done last; the empty text before anything was. */
export function lastText({ last }) {
  return last && last.what in LAST ? LAST[last.what]({ ...last, name: playerName(last.seat) }) : "";
}
