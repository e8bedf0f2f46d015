// What people settle: what the camera cannot say, one question at a time, whose trains lie there, and what cannot be by
// the rules.

import { CallError, post } from "../shared/api.js";
import { button, fill, fillAnew, h } from "../shared/dom.js";
import { lanesOf, laneWord, nameOf, routeName, saidPinText, sideOf, spotName, endsName, who } from "../shared/names.js";
import { choiceButton, misreadOffer, openSpot } from "../shared/route_sheets.js";
import { announce, attempt, toast } from "../shared/sheets.js";
import { mayChange, me, now, seated, standing, theBoard, watch } from "../shared/state.js";
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
    standBeside(place, isResult());
    // A card is made anew only when it says something else: nobody's finger lands beside its button.
    const about = first && [group.map((one) => one.id), questions.length, me().role, now().players.map((player) => player.name)];
    fillAnew(place, about, () => (first ? questionCard(group, questions.length - group.length) : null));
  };
  watch((state, you) => [state.questions, state.players, you.role, state.phase, state.table.joining, state.table.strange], ([questions]) => {
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

const isResult = () => ["counting", "winner"].includes(now().phase);

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
  const title = isAlone ? spotName(spotOf(first)) : endsName(theBoard().route[first.about]);
  return h("section", { class: "card question", "aria-labelledby": "question-title" },
    h("h2", { id: "question-title" }, say("question.title", { spot: title })),
    isAlone ? h("p", { class: "soft" }, whyOf(first)) : null,
    first.crop ? spotPicture(group, say("question.picture", { spot: title })) : null,
    mayChange() ? group.map((question) => answers(question, isAlone)) : h("p", { class: "soft" }, say("question.guest")),
    more ? h("p", { class: "soft" }, sayCount("question.more", more)) : null);
}

const whyOf = ({ why, said }) => (why ? say("question.why", { why, said: who(said) }) : say("question.why_plain", { said: who(said) }));

/** Return the buttons of one question; each lane has its own, under what the camera thinks of it. */
function answers(question, isAlone) {
  const buttons = h("div", { class: "choices answers" },
    question.choices.slice(0, MOST_BUTTONS).map((choice) => choiceButton(choice, null, () => answer(question, choice))),
    button("question-other", say("question.other"), () => openSpot(spotOf(question)), { class: "choice other" }));
  return isAlone ? buttons : h("section", { class: "lane" }, h("h3", {}, sideOf(question.about) ? laneWord(question.about) : routeName(question.about)), h("p", { class: "soft" }, whyOf(question)), buttons);
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
  const answered = await attempt(ask, say("question.thanks", { spot, who: who(choice) }), null, saidPinText(spotOf(question), choice), choice === question.said ? null : misreadOffer(question.kind, question.about, question.id));
  // Kept where it went well: that the question is gone may be heard later than the answer.
  if (answered === null) answering = null;
}

/** A question that goes away says why: whose phone answered it, what the camera saw, or that the table looks anew. */
function gone(question) {
  if (answering === question.id || now().questions.some((one) => one.id === question.id)) return;
  const closed = now().closed_questions.find((one) => one.id === question.id);
  if (!closed) return;
  const spot = spotName(spotOf(question));
  const by = seated(closed.seat ?? "");
  const lies = who(closed.now ?? standing(spotOf(question)) ?? null);
  toast(closed.why === "restarted" ? say("question.restarted", { spot }) : closed.why === "seen" ? say("question.seen", { spot, who: lies })
    : by ? say("question.by", { name: nameOf(by), spot, who: lies }) : say("question.elsewhere", { spot, who: lies }));
}

// Trains of a colour that no player has: whose they are is asked once for the colour.

/** Show where such trains lie, until somebody says who plays them. */
export function showStrange(place) {
  let told = [];
  watch((state, you) => [state.table.strange, state.players, you.role], ([strange]) => {
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
    const { problems } = now();
    const texts = problems.map(({ what }) => sentence(what));
    for (const text of texts.filter((one) => !told.includes(one))) announce(text);
    told = texts;
    place.hidden = isResult() || !problems.length;
    fill(place, place.hidden ? null : card(problems));
  };
  watch((state, you) => [state.problems, state.phase, you.role, you.is_host], () => whenAtRest(draw));
}

function card(problems) {
  const isToMend = mayChange() && problems.some(({ spots }) => spots.length);
  return h("section", { class: "card problem", "aria-labelledby": "problems-title" },
    h("h2", { id: "problems-title" }, say("problem.title")),
    problems.map(({ what, spots }) => [h("p", {}, sentence(what)), isToMend && spots.length ? h("div", { class: "choices" }, spots.slice(0, MOST_WAYS).map(way)) : null]),
    isToMend ? h("p", { class: "soft" }, say("problem.text")) : null);
}

function way(spot) {
  return button(`mend-${spot}`, spotName(spot), () => openSpot(spot));
}
