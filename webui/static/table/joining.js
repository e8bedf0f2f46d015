// A game that is half played when watching begins: what lies there is confirmed once, or put right.

import { post } from "../shared/api.js";
import { car, fill, h } from "../shared/dom.js";
import { spotName, who } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { choiceButton } from "../shared/route_sheet.js";
import { openSheet } from "../shared/sheet.js";
import { me, now, watch } from "../shared/state.js";
import { attempt } from "../shared/toast.js";
import { say, sayCount } from "../shared/words.js";

/** Show what lies on the board already, until somebody confirms it. */
export function showJoining(place) {
  watch((state, you) => [state.table.joining, state.players, you.is_host], (joining) => {
    place.hidden = !joining;
    fill(place, joining ? card(joining) : null);
  });
}

function card(joining) {
  const colours = Object.values(joining);
  const counts = [...new Set(colours)].sort().map((colour) => [colour, colours.filter((one) => one === colour).length]);
  return h("section", { class: "card joining", "aria-labelledby": "joining-title" },
    h("h2", { id: "joining-title" }, say("joining.title")),
    h("p", {}, say("joining.text")),
    h("ul", { class: "plain" }, counts.map(([colour, n]) => h("li", { class: "line" }, car(paintOf(colour)), h("span", {}, who(colour)), h("span", { class: "sum" }, sayCount("joining.routes", n))))),
    me().is_host
      ? h("div", { class: "choices" },
          h("button", { type: "button", class: "primary", "data-key": "joining-yes", on: { click: () => attempt(() => post("/joining", {}), say("joining.done"), "board_joined") } }, say("joining.yes")),
          h("button", { type: "button", "data-key": "joining-mend", on: { click: openMending } }, say("joining.mend")))
      : h("p", { class: "soft" }, say("joining.guest")));
}

/** Open the list of what lies there, each to be put right before it is all written down. */
function openMending() {
  const spots = { ...now().table.joining };
  let open = null;
  const row = (spot) => {
    const colour = spots[spot] ?? null;
    const toggle = () => ((open = open === spot ? null : spot), sheet.refresh());
    const choose = (next) => {
      if (next === null) delete spots[spot];
      else spots[spot] = next;
      open = null;
      sheet.refresh();
    };
    const choices = open === spot ? h("div", { class: "choices" }, [...now().players.map((player) => player.colour), null].map((one) => choiceButton(one, one === colour, () => choose(one)))) : null;
    return h("li", {}, h("button", { type: "button", class: "result", "aria-expanded": String(open === spot), "data-key": `mend-${spot}`, on: { click: toggle } },
      colour ? car(paintOf(colour)) : h("span", { class: "no-car", "aria-hidden": "true" }), h("span", {}, spotName(spot)), h("span", { class: "soft" }, who(colour))), choices);
  };
  const confirm = () => (sheet.close(), attempt(() => post("/joining", { spots }), say("joining.done"), "board_joined"));
  const sheet = openSheet(say("joining.title"), () => [
    h("p", { class: "soft" }, say("joining.mend_text")),
    h("ul", { class: "plain" }, Object.entries(now().table.joining ?? spots).map(([spot]) => row(spot))),
    h("button", { type: "button", class: "primary wide", on: { click: confirm } }, say("joining.save")),
  ], { name: "tall" });
}
