// What lies on the board and nobody saw laid, when watching begins or much has changed: confirmed once, or put right.

import { post } from "../shared/api.js";
import { button, car, fill, h } from "../shared/dom.js";
import { spotName, who } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { choiceButton } from "../shared/route_sheets.js";
import { announce, attempt, openSheet } from "../shared/sheets.js";
import { mayChange, me, now, watch } from "../shared/state.js";
import { list, say, sayCount, sentence } from "../shared/words.js";

const MOST_NAMED = 3; // spots of which one is probably wrong

/** Show what lies on the board already, until somebody confirms it. */
export function showJoining(place) {
  let wasOpen = false;
  watch((state, you) => [state.table.joining, state.table.joining_missing, state.table.joining_changed, state.table.joining_problems, state.table.is_joining_open, state.players, you.role], ([joining]) => {
    place.hidden = !joining;
    fill(place, joining ? joiningCard(joining) : null);
    if (joining && !wasOpen) announce(`${joiningTitle()} ${say("joining.waits")}`);
    wasOpen = Boolean(joining);
  });
}

function joiningTitle() {
  const { joining_missing: missing, joining_changed: changed } = now().table;
  return say(missing ? "joining.cleared_title" : changed ? "joining.changed_title" : "joining.title");
}

function joiningText() {
  const { joining_missing: missing, joining_changed: changed } = now().table;
  return missing ? sayCount("joining.missing", missing) : changed ? sayCount("joining.changed", changed) : say("joining.text");
}

/** Return the spots to be confirmed: where the game has pieces already, those that lie otherwise. */
function joiningSpots(joining) {
  const { spots, table } = now();
  const all = Object.keys({ ...(table.joining_changed ? spots : {}), ...joining });
  return table.joining_changed ? all.filter((spot) => (spots[spot]?.colour ?? null) !== (joining[spot] ?? null)) : all;
}

function joiningCard(joining) {
  const { joining_missing: missing, joining_changed: changed } = now().table;
  const colours = Object.values(joining);
  const counts = [...new Set(colours)].sort().map((colour) => [colour, colours.filter((one) => one === colour).length]);
  const lines = changed ? joiningSpots(joining).map((spot) => [joining[spot] ?? null, spotName(spot), who(joining[spot] ?? null)])
    : counts.map(([colour, n]) => [colour, who(colour), sayCount("joining.routes", n)]);
  return h("section", { class: "card joining", "aria-labelledby": "joining-title" },
    h("h2", { id: "joining-title" }, joiningTitle()),
    h("p", {}, joiningText()),
    now().table.joining_problems.map(({ what, spots }) => h("p", { class: "trouble-text" }, sentence(what), " ", spots.length ? say("joining.unsure", { spots: list(spots.slice(0, MOST_NAMED).map(spotName)) }) : null)),
    h("p", {}, h("strong", {}, say("joining.waits"))),
    h("ul", { class: "plain" }, lines.map(([colour, name, said]) => h("li", { class: "line" }, colour ? car(paintOf(colour)) : h("span", { class: "no-car", "aria-hidden": "true" }), h("span", {}, name), h("span", { class: "sum" }, said)))),
    missing && mayAnswer() ? clearedAnswers() : mayAnswer()
      ? h("div", { class: "choices" },
          button("joining-yes", say("joining.yes"), () => attempt(() => post("/joining", {}), say("joining.done")), { class: "primary" }),
          button("joining-mend", say("joining.mend"), openMending))
      : h("p", { class: "soft" }, say(now().table.is_joining_open ? "joining.guest_open" : "joining.guest")));
}

/** Return the answers for a board that lacks what the game has: it was cleared, or something is wrong with it. */
function clearedAnswers() {
  return [
    h("p", { class: "soft" }, say("joining.keep_text")),
    h("div", { class: "choices" },
      button("joining-keep", say("joining.keep"), () => attempt(() => post("/pause"), say("joining.kept"))),
      button("joining-yes", say("joining.cleared"), () => attempt(() => post("/joining", {}), say("joining.done")))),
  ];
}

/** The host may say what lies there; any player may once the host has not for a minute. */
const mayAnswer = () => me().is_host || (now().table.is_joining_open && mayChange());

/** Open the list of what lies there, each to be put right before it is all written down. */
function openMending() {
  const spots = { ...now().table.joining };
  const unsure = now().table.joining_problems.flatMap((problem) => problem.spots.slice(0, MOST_NAMED));
  const shown = [...new Set([...unsure, ...joiningSpots(spots)])];
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
    return h("li", {}, button(`mend-${spot}`, [
      colour ? car(paintOf(colour)) : h("span", { class: "no-car", "aria-hidden": "true" }), h("span", {}, spotName(spot), unsure.includes(spot) ? h("span", { class: "tag" }, say("tag.not_sure")) : null), h("span", { class: "soft" }, who(colour)),
    ], toggle, { class: "result", "aria-expanded": String(open === spot) }), choices);
  };
  const confirm = () => (sheet.close(), attempt(() => post("/joining", { spots }), say("joining.done")));
  const sheet = openSheet(joiningTitle(), () => [
    h("p", { class: "soft" }, say("joining.mend_text")),
    h("ul", { class: "plain" }, shown.map(row)),
    button(null, say("joining.save"), confirm, { class: "primary wide" }),
  ], { name: "tall" });
}
