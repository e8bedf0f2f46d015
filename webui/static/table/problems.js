// What cannot be by the rules: said beside the score, with the claims of which one is probably wrong.

import { fill, h } from "../shared/dom.js";
import { spotName } from "../shared/names.js";
import { openSpot } from "../shared/route_sheets.js";
import { announce } from "../shared/sheets.js";
import { mayChange, now, watch } from "../shared/state.js";
import { say, sentence } from "../shared/words.js";
import { whenAtRest } from "./rest.js";

const MOST_WAYS = 2; // the newest claim, and the one before

/** Show what is wrong until it is put right; the result says it with who wins. */
export function showProblems(place) {
  let told = [];
  const draw = () => {
    const { problems, game } = now();
    const texts = problems.map(({ what }) => sentence(what));
    for (const text of texts.filter((one) => !told.includes(one))) announce(text);
    told = texts;
    place.hidden = game.counted || !problems.length;
    fill(place, place.hidden ? null : card(problems));
  };
  watch((state, you) => [state.problems, state.game.counted, you.role, you.is_host], () => whenAtRest(draw));
}

function card(problems) {
  const isToMend = mayChange() && problems.some(({ spots }) => spots.length);
  return h("section", { class: "card problem", "aria-labelledby": "problems-title" },
    h("h2", { id: "problems-title" }, say("problem.title")),
    problems.map(({ what, spots }) => [h("p", {}, sentence(what)), isToMend && spots.length ? h("div", { class: "choices" }, spots.slice(0, MOST_WAYS).map(way)) : null]),
    isToMend ? h("p", { class: "soft" }, say("problem.text")) : null);
}

function way(spot) {
  return h("button", { type: "button", "data-key": `mend-${spot}`, on: { click: () => openSpot(spot) } }, spotName(spot));
}
