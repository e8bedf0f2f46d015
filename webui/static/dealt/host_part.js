// What the host alone does with cards on phones: putting them away; and what any player does: vouching for a phone.

import { addTo } from "../shared/additions.js";
import { post } from "../shared/api.js";
import { attempt } from "../shared/attempts.js";
import { h } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { confirmSheet } from "../shared/sheets.js";
import { mayChange, me, now, seated } from "../shared/state.js";
import { say } from "../shared/words.js";
import { showTableAgain } from "../table/people.js";
import { reminderChoice } from "../table/turns.js";

/** Let the table's own part of the page have it. */
export function showHostPart() {
  addTo("table", () => [vouchCard(), me().is_host ? putAwayCard() : null]);
  showTableAgain();
}

function putAwayCard() {
  if (!now().cards || now().game.ended) return null;
  const away = () => attempt(() => post("/cards/put-away"), say("dealt.put_away_done"));
  return h("section", { class: "card" }, h("h3", {}, say("dealt.host_title")), reminderChoice(), h("p", { class: "soft" }, say("dealt.put_away_hint")),
    h("button", { type: "button", class: "wide danger", "data-key": "put-away", on: { click: () => confirmSheet(say("dealt.put_away"), say("dealt.put_away_text"), say("dealt.put_away_yes"), away, { isRisky: true }) } }, say("dealt.put_away")));
}

/** Who took over a seat sees its cards once another player says that the phone is that player's. */
function vouchCard() {
  const seats = (now().cards?.unvouched ?? []).filter((seat) => seated(seat) && seat !== me().seat);
  if (!seats.length || !mayChange()) return null;
  return seats.map((seat) => {
    const name = nameOf(seated(seat));
    return h("section", { class: "card" }, h("p", {}, say("dealt.vouch_text", { name })),
      h("button", { type: "button", class: "wide", "data-key": `vouch-${seat}`, on: { click: () => attempt(() => post("/cards/vouch", { seat }), say("dealt.vouched", { name })) } }, say("dealt.vouch", { name })));
  });
}
