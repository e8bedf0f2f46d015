// What the host alone does with cards on phones: putting them away; and what any player does: vouching for a phone.

import { post, put, remove } from "../shared/api.js";
import { addTo, h } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { attempt, confirmSheet } from "../shared/sheets.js";
import { me, now, seated } from "../shared/state.js";
import { say } from "../shared/words.js";
import { reminderChoice } from "../table/turns.js";
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
    h("button", { type: "button", class: "wide danger", "data-key": "put-away", on: { click: () => confirmSheet(say("dealt.put_away"), say("dealt.put_away_text"), say("dealt.put_away_yes"), away, { isRisky: true }) } }, say("dealt.put_away")));
}

/** A computer plays on for somebody, or a person for a computer. */
function handOverPart(player, sheet) {
  if (now().game.ended) return null;
  const name = nameOf(player);
  const done = (act, text) => () => (sheet.close(), attempt(act, say(text, { name })));
  const path = `/players/${player.seat}/computer`;
  if (player.computer && !player.has_left) return h("button", { type: "button", class: "wide", "data-key": "person-plays", on: { click: done(() => remove(path), "dealt.person_plays_done") } }, say("dealt.person_plays"));
  if (!now().cards) return null; // they were put away
  return h("details", { "data-key": "hand-over" }, h("summary", {}, say("dealt.computer_plays", { name })), h("p", { class: "soft" }, say("dealt.computer_plays_hint", { name })),
    h("div", { class: "choices" }, Object.entries(STRENGTHS).map(([strength, word]) => h("button", { type: "button", class: "choice", "data-key": `computer-${strength}`, on: { click: done(() => put(path, { strength }), "dealt.computer_plays_done") } }, h("span", {}, say(word))))));
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
      mayVouch ? h("button", { type: "button", class: "wide", "data-key": `vouch-${seat}`, on: { click: () => attempt(() => post("/cards/vouch", { seat }), say("dealt.vouched", { name })) } }, say("dealt.vouch", { name })) : null,
      me().is_host ? h("button", { type: "button", class: "wide danger", "data-key": `deal-anew-${seat}`, on: { click: () => confirmSheet(say("dealt.deal_anew", { name }), say("dealt.deal_anew_text", { name }), say("dealt.deal_anew_yes"), dealAnew, { isRisky: true }) } }, say("dealt.deal_anew", { name })) : null);
  });
}
