// Claiming without a camera: the route is tapped, on the board or in a list, and paid for at once.

import { post } from "../shared/api.js";
import { addTo, button, fill, h, icon } from "../shared/dom.js";
import { spotName, spotParts } from "../shared/names.js";
import { attempt, confirmSheet, openSheet } from "../shared/sheets.js";
import { mayHaveBack, now } from "../shared/state.js";
import { say, sentence } from "../shared/words.js";
import { pay, paymentButtons } from "./payment.js";

/** Let the sheet of a spot offer to claim it with the own cards, and to take a claim back. */
export function showMap(myCards) {
  addTo("spot", (spot, sheet) => [claimPart(myCards(), spot, sheet), backPart(spot, sheet)]);
}

/** Return the part that claims: its payments are asked for when the sheet is opened. */
function claimPart(cards, spot, sheet) {
  const view = cards?.view();
  if (!view?.is_turn || view.drawn?.length || view.offered?.length || view.tunnel) return null;
  if (now().spots[spot]?.colour && !view.laid.some((one) => one.spot === spot)) return null;
  const place = h("section", { class: "claim", role: "status" });
  showPayments(cards, spot, place, sheet);
  return place;
}

async function showPayments(cards, spot, place, sheet) {
  const answer = await cards.payments(spot);
  if (!answer) return;
  const { payments, why } = answer;
  fill(place, h("h3", {}, say("dealt.claim")),
    payments.length ? paymentButtons(payments, (payment) => pay(cards, spot, payment, sheet)) : h("p", {}, icon("cross"), " ", h("span", {}, sentence(why))));
}

/** The owner may have the cards back as long as nobody moved since, or when the host asks for it; the host may ask. */
function backPart(spot, sheet) {
  const { cards, spots } = now();
  if (!cards) return null;
  const isUnpaid = (cards.unpaid ?? []).some((one) => one.spot === spot);
  const isClaimed = (spots[spot]?.colour && !isUnpaid) || (cards.to_lay ?? []).some((one) => one.spot === spot);
  if (!isClaimed || !mayHaveBack(spot)) return null;
  return button("have-back", say("dealt.have_back"), () => (sheet.close(), haveBack(spot)), { class: "wide" });
}

/** Have the cards back that were paid for a spot, after a second tap. */
export function haveBack(spot) {
  const [kind, about] = spotParts(spot);
  const back = () => attempt(() => post("/cards/have-back", { kind, about }), say("dealt.had_back", { spot: spotName(spot) }));
  confirmSheet(say("dealt.have_back"), say("dealt.have_back_text", { spot: spotName(spot) }), say("dealt.have_back_yes"), back);
}

/** Open the list of all that can be claimed and paid now. */
export function openPayable(cards) {
  const sheet = openSheet(say("dealt.payable"), () => h("ul", { class: "plain results" }, (cards.view()?.payable ?? []).map((spot) =>
    h("li", {}, button(spot, [h("span", {}, spotName(spot)), h("span", { "aria-hidden": "true" }, "›")], () => (sheet.close(), openClaim(cards, spot)), { class: "result" })))), { name: "tall" });
}

function openClaim(cards, spot) {
  const place = h("section", { class: "claim" });
  const sheet = openSheet(spotName(spot), () => place);
  showPayments(cards, spot, place, sheet);
}
