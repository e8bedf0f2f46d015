// The fourth step: where the board is in the picture. Most find it by themselves; then the game can begin.

import { fill, h } from "../table/dom.js";
import { showExtras } from "./extras.js";
import { showGames } from "./games_card.js";
import { livePicture } from "./live_picture.js";
import { faultsPlace, heading } from "./parts.js";

/** Show the step. */
export function boardStep(place, { go, foot }) {
  const board = h("div", { class: "board-found" });
  const faults = faultsPlace("calibration");
  const extras = h("div", {});
  const games = h("div", {});
  const picture = livePicture();
  fill(place, heading("set_up.board_title", "set_up.board_text"), faults.place, board, extras, games);
  fill(board, picture.place);
  picture.show(true);
  return {
    show(view) {
      faults.show(view);
      foot.next.disabled = !view.may_begin;
      showExtras(extras, view, go);
      extras.hidden = !view.may_begin;
      showGames(games, view);
      games.hidden = !view.game;
    },
    stop: () => picture.show(false),
  };
}
