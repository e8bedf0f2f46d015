// Paying: for trains that lie on the board, or for a route that is tapped; the thriftiest payment first.

import { button, car, h, icon } from "../shared/dom.js";
import { spotName } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { openSheet } from "../shared/sheets.js";
import { now, seated, watch } from "../shared/state.js";
import { chips } from "../shared/train_cards.js";
import { say, sentence } from "../shared/words.js";
import { cardsInWords } from "./turn_words.js";

const MOST = 5;

/** Return a card for each spot on which own trains lie unpaid: a way to pay, or why it cannot be paid. */
export function laidCards(cards) {
  const { colour } = seated(cards.seat);
  return (cards.view()?.laid ?? []).map(({ spot, payments, why }) => h("section", { class: payments.length ? "card laid" : "card laid is-wrong" },
    h("div", { class: "holder" }, car(paintOf(colour)), h("h3", {}, say("dealt.you_laid", { spot: spotName(spot) }))),
    payments.length
      ? button(`pay-${spot}`, say("dealt.pay"), () => openPayments(cards, spot), { class: "primary wide" })
      : h("p", {}, icon("cross"), " ", h("span", {}, say("dealt.take_trains_back", { why: sentence(why) })))));
}

/** Open the payments of a spot where trains lie; whatever happens meanwhile, they are those that hold now. */
function openPayments(cards, spot) {
  const found = () => cards.view()?.laid.find((one) => one.spot === spot);
  const sheet = openSheet(spotName(spot), () => [
    h("p", {}, say("dealt.pay_with")),
    paymentButtons(found()?.payments ?? [], (payment) => pay(cards, spot, payment, sheet)),
  ], { onClose: () => stop() });
  const stop = watch((state) => [state.cards], async (_, before) => {
    if (!before) return;
    await cards.refresh();
    if (found()?.payments.length) sheet.refresh();
    else sheet.close();
  });
}

/** Return a button for each payment; many of them are folded away. */
export function paymentButtons(payments, act) {
  const one = (payment, i) => button(`payment-${i}`, [chips(payment), h("span", { "aria-hidden": "true" }, cardsInWords(payment))], () => act(payment), { class: i ? "payment" : "payment primary", "aria-label": say("dealt.pay_cards", { cards: cardsInWords(payment) }) });
  const [first, rest] = [payments.slice(0, MOST), payments.slice(MOST)];
  return h("div", { class: "payments" }, first.map(one),
    rest.length ? h("details", { "data-key": "more-payments" }, h("summary", {}, say("dealt.more_payments")), h("div", { class: "payments" }, rest.map((payment, i) => one(payment, i + MOST)))) : null);
}

/** Pay for a spot; one payment at a time, however often somebody taps. */
export async function pay(cards, spot, payment, sheet) {
  const at = spot.indexOf(":");
  const isLying = now().spots[spot]?.colour === seated(cards.seat).colour;
  sheet.close();
  await cards.move({ move: "pay", kind: spot.slice(0, at), id: spot.slice(at + 1), cards: payment }, say(isLying ? "dealt.paid" : "dealt.paid_lay", { cards: cardsInWords(payment) }));
}
