// A tunnel: the three cards that were turned over, and what they ask for.

import { button, h } from "../shared/dom.js";
import { routeName } from "../shared/names.js";
import { say, sayCount } from "../shared/words.js";
import { paymentButtons } from "./payment.js";
import { cardRow } from "../shared/train_card.js";
import { cardsInWords } from "./turn_words.js";

/** Return the choice of who builds it: play more, or leave it. */
export function tunnelCard(cards) {
  const { tunnel, revealed } = cards.view();
  const more = (payment) => cards.move({ move: "pay_more", cards: payment }, say("dealt.paid", { cards: cardsInWords(payment) }));
  return h("section", { class: "card tunnel-asks" },
    h("h3", {}, say("dealt.tunnel", { route: routeName(tunnel.route) })),
    cardRow(revealed ?? [], say("dealt.tunnel_cards")),
    h("p", {}, sayCount("dealt.tunnel_more", tunnel.more)),
    tunnel.additions.length ? paymentButtons(tunnel.additions, more) : h("p", {}, say("dealt.tunnel_cannot")),
    button("leave-tunnel", say("dealt.tunnel_leave"), () => cards.move({ move: "leave_tunnel" }, say("dealt.tunnel_left")), { class: "wide" }));
}
