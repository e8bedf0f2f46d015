// The fourth step: where the board is in the picture. Most find it by themselves; then the game can begin.

import { showCalibration } from "../calibration/calibration.js";
import { fill, h } from "../shared/dom.js";
import { lookAgain } from "./choices.js";
import { showExtras } from "./extras.js";
import { showGames } from "./games_card.js";
import { faultsPlace, heading } from "./parts.js";

/** Show the step. */
export function boardStep(place, { go, foot, resume }) {
  const board = h("div", {});
  const faults = faultsPlace("calibration");
  const extras = h("div", {});
  const games = h("div", {});
  fill(place, heading("set_up.board_title", "set_up.board_text"), faults.place, board, extras, games);
  const shown = showCalibration(board, { onChange: lookAgain });
  return {
    show(view) {
      faults.show(view);
      foot.next.disabled = !view.may_begin;
      showExtras(extras, view, go);
      extras.hidden = !view.may_begin;
      showGames(games, view, resume);
      games.hidden = !view.game;
    },
    stop: () => shown.stop(),
  };
}
