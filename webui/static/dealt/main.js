// A game with cards on phones: all that it adds to the page at the table. No other game fetches it.

import { fill, h } from "../shared/dom.js";
import { watch } from "../shared/state.js";
import { say } from "../shared/words.js";
import { showHostPart } from "./host_part.js";
import { showMap } from "./map_claims.js";
import { myCards, showMyTurn } from "./my_cards.js";
import { showOpenTable } from "./open_table.js";
import { passRound } from "./pass_round.js";
import { addHandSizes } from "./hand_sizes.js";

/** Put everything in its place on the page. */
export function showDealtGame() {
  const before = (id) => {
    const place = h("div", { hidden: true });
    document.getElementById(id).before(place);
    return place;
  };
  const tab = document.querySelector("#tab-tickets span");
  const usual = tab.textContent;
  watch((state) => [Boolean(state.cards)], ([isDealt]) => fill(tab, isDealt ? say("dealt.tab") : usual));
  const strip = h("div", { class: "my-turn", hidden: true });
  document.querySelector(".halves").before(strip);
  addHandSizes();
  showOpenTable(before("players"));
  showMyTurn(before("tickets"), strip);
  showMap(myCards);
  passRound();
  showHostPart();
}
