// What lies open for everybody: whose turn it is, what was just done, the market, and trains that are not paid.

import { car, fill, h, icon } from "../shared/dom.js";
import { spotName, who } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { announce } from "../shared/sheets.js";
import { now, seated, watch } from "../shared/state.js";
import { say, sentence } from "../shared/words.js";
import { whenAtRest } from "../table/motion.js";
import { market } from "../shared/market.js";
import { showToLay } from "./to_lay.js";
import { cardRow } from "../shared/train_card.js";
import { doingText, lastText, turnText } from "./turn_words.js";

/** Show the open part of the game in a place. */
export function showOpenTable(place) {
  const toLay = h("div", { hidden: true });
  const unpaid = h("div", {});
  const table = h("div", {});
  place.append(toLay, unpaid, table);
  showToLay(toLay);
  let said = "";
  const draw = () => {
    const { cards, game } = now();
    place.hidden = !cards || game.ended;
    if (place.hidden) return fill(table);
    fill(unpaid, (cards.unpaid ?? []).map(unpaidCard));
    fill(table, tableCard(cards));
  };
  watch((state) => [state.cards, state.game.ended, state.players], ([cards]) => {
    const text = cards ? lastText(cards) : "";
    if (text && said && text !== said) announce(text);
    said = text;
    whenAtRest(draw);
  });
}

function unpaidCard({ spot, colour, why }) {
  return h("section", { class: "card unpaid" },
    h("div", { class: "holder" }, car(paintOf(colour)), h("div", {},
      h("h3", {}, say("dealt.unpaid", { spot: spotName(spot), who: who(colour) })),
      h("p", { class: why ? "trouble-text" : "soft" }, why ? sentence(why) : say("dealt.unpaid_waits", { who: who(colour) })))));
}

function tableCard(cards) {
  const player = cards.phase === "play" ? seated(cards.turn) : null;
  const doing = doingText(cards);
  const last = lastText(cards);
  return h("section", { class: "card open-table", "aria-labelledby": "open-table-title" },
    h("div", { class: "holder" }, player ? car(paintOf(player.colour)) : icon("ticket"), h("div", {},
      h("h2", { id: "open-table-title" }, turnText(cards)),
      doing ? h("p", {}, doing) : null,
      last ? h("p", { class: "soft" }, last) : null)),
    cards.revealed?.length ? [h("h3", {}, say("dealt.tunnel_cards")), cardRow(cards.revealed, say("dealt.tunnel_cards"))] : null,
    cards.phase === "over" ? null : market(cards, null));
}
