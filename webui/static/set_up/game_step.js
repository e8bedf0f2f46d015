// The first step: which game is played, and on which board; games that were left go on from here too.

import { fill, h } from "../shared/dom.js";
import { say } from "../shared/words.js";
import { choose } from "./choices.js";
import { showGames } from "./games_card.js";
import { faultsPlace, fillAnew, heading, option } from "./parts.js";

/** Show the step; `next()` goes on. */
export function gameStep(place, { next, resume }) {
  const games = h("div", {});
  const options = h("div", { class: "options" });
  const faults = faultsPlace("edition");
  fill(place, heading("set_up.game_title", "set_up.game_text"), faults.place, options, games,
    h("p", { class: "soft" }, say("set_up.own_board"), " ", h("a", { class: "help-link", href: "/boards" }, say("set_up.own_board_link"))));
  const take = async ({ id, board }) => (await choose("edition", { edition: id, board })) && next();
  return {
    show(view) {
      faults.show(view);
      showGames(games, view, resume);
      fillAnew(options, [view.editions, view.edition, view.game], () => view.editions.map((one) => option(`edition-${one.board}-${one.id}`, isChosen(one, view), () => take(one),
        h("strong", {}, one.title), one.is_own ? h("span", { class: "soft" }, say("set_up.own")) : null)));
    },
  };
}

function isChosen({ id, board }, { edition, game }) {
  return !game && id === edition?.id && board === edition.board;
}
