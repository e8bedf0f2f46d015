// What the camera cannot say: one question at a time, and what lay on the board already when watching began.

import { address, CallError, post } from "../shared/api.js";
import { attempt } from "../shared/attempts.js";
import { car, fill, h } from "../shared/dom.js";
import { spotName, who } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { choiceButton, openSpot } from "../shared/route_sheets.js";
import { announce, openSheet, toast } from "../shared/sheets.js";
import { mayChange, me, now, watch } from "../shared/state.js";
import { say, sayCount } from "../shared/words.js";
import { play } from "./sounds.js";

const MOST_BUTTONS = 3;
let shown = null;
let answering = null;

/** Show the oldest open question in a card, and how many there are beside the tab. */
export function showQuestions(place, badge) {
  watch((state, you) => [state.questions, state.players, you.role, state.game.counted], (questions) => {
    const first = questions[0] ?? null;
    badge.hidden = !questions.length;
    badge.textContent = questions.length || "";
    if (shown && first?.id !== shown.id) gone(shown);
    if (first && first.id !== shown?.id) {
      announce(say("question.asked", { spot: spotName(spotOf(first)) }));
      play("question");
    }
    shown = first;
    place.hidden = !first;
    standBeside(place, now().game.counted);
    // A card is made anew only when it says something else: nobody's finger lands beside its button.
    const says = first ? [first.id, questions.length, me().role, ...now().players.map((player) => player.name)].join() : "";
    if (says === place.dataset.says) return;
    place.dataset.says = says;
    fill(place, first ? questionCard(first, questions.length) : null);
  });
}

/** Questions come before the score, and after the result: nothing comes before that. */
function standBeside(place, isResult) {
  const score = document.getElementById("panel-score");
  if (isResult && score.nextElementSibling !== place) score.after(place);
  if (!isResult && score.previousElementSibling !== place) score.before(place);
}

const spotOf = (question) => `${question.kind}:${question.about}`;

function questionCard(question, number) {
  const spot = spotOf(question);
  const choices = question.choices.slice(0, MOST_BUTTONS);
  return h("section", { class: "card question", "aria-labelledby": "question-title" },
    h("h2", { id: "question-title" }, say("question.title", { spot: spotName(spot) })),
    h("p", { class: "soft" }, question.why ? say("question.why", { why: question.why, said: who(question.said) }) : say("question.why_plain", { said: who(question.said) })),
    question.crop ? h("img", { class: "proof", src: address(question.crop), alt: say("question.picture", { spot: spotName(spot) }) }) : null,
    mayChange()
      ? h("div", { class: "choices answers" }, choices.map((choice) => choiceButton(choice, null, () => answer(question, choice))),
          h("button", { type: "button", class: "choice other", "data-key": "question-other", on: { click: () => openSpot(spot) } }, say("question.other")))
      : h("p", { class: "soft" }, say("question.guest")),
    number > 1 ? h("p", { class: "soft" }, sayCount("question.more", number - 1)) : null);
}

async function answer(question, choice) {
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
  watch((state, you) => [state.table.joining, state.players, you.is_host], (joining) => {
    place.hidden = !joining;
    fill(place, joining ? joiningCard(joining) : null);
  });
}

function joiningCard(joining) {
  const colours = Object.values(joining);
  const counts = [...new Set(colours)].sort().map((colour) => [colour, colours.filter((one) => one === colour).length]);
  return h("section", { class: "card joining", "aria-labelledby": "joining-title" },
    h("h2", { id: "joining-title" }, say("joining.title")),
    h("p", {}, say("joining.text")),
    h("ul", { class: "plain" }, counts.map(([colour, n]) => h("li", { class: "line" }, car(paintOf(colour)), h("span", {}, who(colour)), h("span", { class: "sum" }, sayCount("joining.routes", n))))),
    me().is_host
      ? h("div", { class: "choices" },
          h("button", { type: "button", class: "primary", "data-key": "joining-yes", on: { click: () => attempt(() => post("/joining", {}), say("joining.done")) } }, say("joining.yes")),
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
  const confirm = () => (sheet.close(), attempt(() => post("/joining", { spots }), say("joining.done")));
  const sheet = openSheet(say("joining.title"), () => [
    h("p", { class: "soft" }, say("joining.mend_text")),
    h("ul", { class: "plain" }, Object.entries(now().table.joining ?? spots).map(([spot]) => row(spot))),
    h("button", { type: "button", class: "primary wide", on: { click: confirm } }, say("joining.save")),
  ], { name: "tall" });
}
