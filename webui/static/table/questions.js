// What people settle: what the camera cannot say, one question at a time, what lay on the board already when watching
// began, and what cannot be by the rules.

import { CallError, post } from "../shared/api.js";
import { car, fill, h } from "../shared/dom.js";
import { lanesOf, placeName, routeName, sideOf, spotName, who } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { choiceButton, openSpot } from "../shared/route_sheets.js";
import { announce, attempt, openSheet, toast } from "../shared/sheets.js";
import { mayChange, me, now, theBoard, watch } from "../shared/state.js";
import { colourWord, say, sayCount, sentence } from "../shared/words.js";
import { whenAtRest } from "./motion.js";
import { play } from "./sounds.js";
import { spotPicture } from "./spot_picture.js";

const MOST_BUTTONS = 3;
let shown = null;
let answering = null;

/** Show the oldest open question in a card, and how many there are beside the tab. */
export function showQuestions(place, badge) {
  const draw = () => {
    const { questions } = now();
    const group = together(questions);
    const [first = null] = group;
    if (shown && first?.id !== shown.id) gone(shown);
    if (first && first.id !== shown?.id) {
      announce(say("question.asked", { spot: spotName(spotOf(first)) }));
      play("question");
    }
    shown = first;
    place.hidden = !first;
    standBeside(place, now().game.counted);
    // A card is made anew only when it says something else: nobody's finger lands beside its button.
    const says = first ? [...group.map((one) => one.id), questions.length, me().role, ...now().players.map((player) => player.name)].join() : "";
    if (says === place.dataset.says) return;
    place.dataset.says = says;
    fill(place, first ? questionCard(group, questions.length - group.length) : null);
  };
  watch((state, you) => [state.questions, state.players, you.role, state.game.counted, state.table.joining, state.table.strange], (questions) => {
    const { joining, strange } = now().table;
    const waiting = questions.length + (joining ? 1 : 0) + Object.keys(strange).length;
    badge.hidden = !waiting;
    badge.textContent = waiting || "";
    whenAtRest(draw);
  });
}

/** Return the oldest question, with those about the other lanes of the same double route. */
function together(questions) {
  const [first] = questions;
  if (first?.kind !== "route") return questions.slice(0, 1);
  const lanes = new Set(lanesOf(first.about).map((lane) => lane.id));
  return questions.filter((one) => one.kind === "route" && lanes.has(one.about));
}

/** Questions come before the score, and after the result: nothing comes before that. */
function standBeside(place, isResult) {
  const score = document.getElementById("panel-score");
  if (isResult && score.nextElementSibling !== place) score.after(place);
  if (!isResult && score.previousElementSibling !== place) score.before(place);
}

const spotOf = (question) => `${question.kind}:${question.about}`;

function questionCard(group, more) {
  const [first] = group;
  const isAlone = group.length === 1;
  const title = isAlone ? spotName(spotOf(first)) : bothLanes(first.about);
  return h("section", { class: "card question", "aria-labelledby": "question-title" },
    h("h2", { id: "question-title" }, say("question.title", { spot: title })),
    isAlone ? h("p", { class: "soft" }, whyOf(first)) : null,
    first.crop ? spotPicture(group, say("question.picture", { spot: title })) : null,
    mayChange() ? group.map((question) => answers(question, isAlone)) : h("p", { class: "soft" }, say("question.guest")),
    more ? h("p", { class: "soft" }, sayCount("question.more", more)) : null);
}

const whyOf = ({ why, said }) => (why ? say("question.why", { why, said: who(said) }) : say("question.why_plain", { said: who(said) }));

function bothLanes(id) {
  const { a, b } = theBoard().route[id];
  return say("route.name", { a: placeName(a), b: placeName(b) });
}

const LANE_WORDS = { upper: "lane.upper", lower: "lane.lower", left: "lane.left", right: "lane.right" };

function laneWord(id) {
  const side = sideOf(id);
  return side ? say(LANE_WORDS[side]) : routeName(id);
}

/** Return the buttons of one question; each lane has its own, under what the camera thinks of it. */
function answers(question, isAlone) {
  const buttons = h("div", { class: "choices answers" },
    question.choices.slice(0, MOST_BUTTONS).map((choice) => choiceButton(choice, null, () => answer(question, choice))),
    h("button", { type: "button", class: "choice other", "data-key": "question-other", on: { click: () => openSpot(spotOf(question)) } }, say("question.other")));
  return isAlone ? buttons : h("section", { class: "lane" }, h("h3", {}, laneWord(question.about)), h("p", { class: "soft" }, whyOf(question)), buttons);
}

async function answer(question, choice) {
  if (answering === question.id) return; // the card rests for a moment under the finger
  answering = question.id;
  const spot = spotName(spotOf(question));
  const ask = async () => {
    try {
      return await post(`/questions/${encodeURIComponent(question.id)}/answer`, { now: choice });
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 409) throw error;
      const said = "now" in error.body ? say("question.late", { spot, who: who(error.body.now) }) : say("question.withdrawn", { spot });
      throw new CallError(409, error.code, said, error.body);
    }
  };
  const answered = await attempt(ask, say("question.thanks", { spot, who: who(choice) }));
  // Kept where it went well: that the question is gone may be heard later than the answer.
  if (answered === null) answering = null;
}

/** A question that goes away was answered by another phone, or by the board itself. */
function gone(question) {
  if (answering === question.id || now().questions.some((one) => one.id === question.id)) return;
  const spot = spotOf(question);
  const held = now().spots[spot];
  if (held?.by === "person") toast(say("question.elsewhere", { spot: spotName(spot), who: who(held.colour) }));
}

// A game that is half played when watching begins: what lies there is confirmed once, or put right.

/** Show what lies on the board already, until somebody confirms it. */
export function showJoining(place) {
  let wasOpen = false;
  watch((state, you) => [state.table.joining, state.table.joining_missing, state.table.joining_changed, state.table.is_joining_open, state.players, you.role], (joining) => {
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
    h("p", {}, h("strong", {}, say("joining.waits"))),
    h("ul", { class: "plain" }, lines.map(([colour, name, said]) => h("li", { class: "line" }, colour ? car(paintOf(colour)) : h("span", { class: "no-car", "aria-hidden": "true" }), h("span", {}, name), h("span", { class: "sum" }, said)))),
    missing && mayAnswer() ? clearedAnswers() : mayAnswer()
      ? h("div", { class: "choices" },
          h("button", { type: "button", class: "primary", "data-key": "joining-yes", on: { click: () => attempt(() => post("/joining", {}), say("joining.done")) } }, say("joining.yes")),
          h("button", { type: "button", "data-key": "joining-mend", on: { click: openMending } }, say("joining.mend")))
      : h("p", { class: "soft" }, say(now().table.is_joining_open ? "joining.guest_open" : "joining.guest")));
}

/** Return the answers for a board that lacks what the game has: it was cleared, or something is wrong with it. */
function clearedAnswers() {
  return [
    h("p", { class: "soft" }, say("joining.keep_text")),
    h("div", { class: "choices" },
      h("button", { type: "button", "data-key": "joining-keep", on: { click: () => attempt(() => post("/pause"), say("joining.kept")) } }, say("joining.keep")),
      h("button", { type: "button", "data-key": "joining-yes", on: { click: () => attempt(() => post("/joining", {}), say("joining.done")) } }, say("joining.cleared"))),
  ];
}

/** The host may say what lies there; any player may once the host has not for a minute. */
const mayAnswer = () => me().is_host || (now().table.is_joining_open && mayChange());

/** Open the list of what lies there, each to be put right before it is all written down. */
function openMending() {
  const spots = { ...now().table.joining };
  const shown = joiningSpots(spots);
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
  const confirm = () => (sheet.close(), attempt(() => post("/joining", { spots }), say("joining.done")));
  const sheet = openSheet(joiningTitle(), () => [
    h("p", { class: "soft" }, say("joining.mend_text")),
    h("ul", { class: "plain" }, shown.map(row)),
    h("button", { type: "button", class: "primary wide", on: { click: confirm } }, say("joining.save")),
  ], { name: "tall" });
}

// Trains of a colour that no player has: whose they are is asked once for the colour.

/** Show where such trains lie, until somebody says who plays them. */
export function showStrange(place) {
  let told = [];
  watch((state, you) => [state.table.strange, state.players, you.role], (strange) => {
    const colours = Object.keys(strange);
    for (const colour of colours.filter((one) => !told.includes(one))) announce(strangeTitle(colour, strange[colour]));
    told = colours;
    place.hidden = !colours.length;
    fill(place, colours.slice(0, 1).map((colour) => strangeCard(colour, strange[colour])));
  });
}

const strangeTitle = (colour, spots) => sayCount("strange.title", spots.length, { colour: colourWord(colour) });

function strangeCard(colour, spots) {
  const said = (choice) => say(choice ? "log.trains_assigned" : "log.trains_nobodys", { colour: colourWord(colour), name: who(choice) });
  const assign = (choice) => attempt(() => post("/trains", { trains: colour, colour: choice }), said(choice));
  return h("section", { class: "card question", "aria-labelledby": "strange-title" },
    h("h2", { id: "strange-title" }, strangeTitle(colour, spots)),
    h("p", { class: "soft" }, spots.map(spotName).join(", ")),
    mayChange()
      ? h("div", { class: "choices answers" }, [...now().players.map((player) => player.colour), null].map((choice) => choiceButton(choice, null, () => assign(choice), say("strange.nobody"))))
      : h("p", { class: "soft" }, say("question.guest")));
}

// What cannot be by the rules: said beside the score, with the claims of which one is probably wrong.

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
