// What the host alone does with cards on phones: putting them away; and what any player does: vouching for a phone.

import { post, put, remove } from "../shared/api.js";
import { addTo, button, h } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { attempt, confirmSheet } from "../shared/sheets.js";
import { me, now, seated } from "../shared/state.js";
import { say } from "../shared/words.js";
import { reminderChoice } from "../table/turn_sheet.js";
import { STRENGTHS } from "./hand_sizes.js";

/** Let the table's own part of the page have it. */
export function showHostPart() {
  addTo("host_player", handOverPart);
  addTo("new_player", newPlayerPart);
  addTo("table", () => [takenOver(), me().is_host ? putAwayCard() : null]);
  dispatchEvent(new Event("added")); // the table's own part of the page may be there already
}

function putAwayCard() {
  if (!now().cards || now().game.ended) return null;
  const away = () => attempt(() => post("/cards/put-away"), say("dealt.put_away_done"));
  return h("section", { class: "card" }, h("h3", {}, say("dealt.host_title")), reminderChoice(), h("p", { class: "soft" }, say("dealt.put_away_hint")),
    button("put-away", say("dealt.put_away"), () => confirmSheet(say("dealt.put_away"), say("dealt.put_away_text"), say("dealt.put_away_yes"), away, { isRisky: true }), { class: "wide danger" }));
}

/** A computer plays on for somebody, or a person for a computer. */
function handOverPart(player, sheet) {
  if (now().game.ended) return null;
  const name = nameOf(player);
  const done = (act, text) => () => (sheet.close(), attempt(act, say(text, { name })));
  const path = `/players/${player.seat}/computer`;
  if (player.computer && !player.has_left) return button("person-plays", say("dealt.person_plays"), done(() => remove(path), "dealt.person_plays_done"), { class: "wide" });
  if (!now().cards) return null; // they were put away
  return h("details", { "data-key": "hand-over" }, h("summary", {}, say("dealt.computer_plays", { name })), h("p", { class: "soft" }, say("dealt.computer_plays_hint", { name })),
    h("div", { class: "choices" }, Object.entries(STRENGTHS).map(([strength, word]) => button(`computer-${strength}`, h("span", {}, say(word)), done(() => put(path, { strength }), "dealt.computer_plays_done"), { class: "choice" }))));
}

/** Return what a form for a new player asks besides, and what was chosen there. */
function newPlayerPart() {
  if (!now().cards) return null;
  const select = h("select", { id: "new-computer", "data-key": "new-computer" }, h("option", { value: "" }, say("dealt.a_person")), Object.entries(STRENGTHS).map(([strength, word]) => h("option", { value: strength }, say(word))));
  return { parts: [h("label", { for: "new-computer" }, say("dealt.who_plays")), select], chosen: () => ({ computer: select.value }) };
}

/** Who took over a seat sees its cards once a player who may says so, or once the host deals new ones: all are told who waits. */
function takenOver() {
  return (now().cards?.unvouched ?? []).filter((seat) => seated(seat)).map((seat) => {
    const name = nameOf(seated(seat));
    const { seats, is_host: isHosts } = now().cards.vouchers[seat];
    const mayVouch = seats.includes(me().seat) || (isHosts && me().is_host);
    const text = mayVouch ? "dealt.vouch_text" : seats.length || isHosts ? "dealt.taken_over" : "dealt.taken_over_alone";
    const dealAnew = () => attempt(() => post(`/players/${seat}/deal-anew`), say("dealt.last_dealt_anew", { name }));
    return h("section", { class: "card" }, h("p", {}, say(text, { name })),
      mayVouch ? button(`vouch-${seat}`, say("dealt.vouch", { name }), () => attempt(() => post("/cards/vouch", { seat }), say("dealt.vouched", { name })), { class: "wide" }) : null,
      me().is_host ? button(`deal-anew-${seat}`, say("dealt.deal_anew", { name }), () => confirmSheet(say("dealt.deal_anew", { name }), say("dealt.deal_anew_text", { name }), say("dealt.deal_anew_yes"), dealAnew, { isRisky: true }), { class: "wide danger" }) : null);
  });
}
