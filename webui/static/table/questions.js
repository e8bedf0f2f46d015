// What the camera cannot say: one question at a time, with its picture and two or three large buttons.

import { announce } from "../shared/announce.js";
import { address, CallError, post } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { spotName, who } from "../shared/names.js";
import { choiceButton, openSpot } from "../shared/route_sheet.js";
import { said } from "../shared/said.js";
import { mayChange, me, now, watch } from "../shared/state.js";
import { attempt, toast } from "../shared/toast.js";
import { say, sayCount } from "../shared/words.js";
import { play } from "./sounds.js";

const MOST_BUTTONS = 3;
let shown = null;
let answering = null;

/** Show the oldest open question in a card, and how many there are beside the tab. */
export function showQuestions(place, badge) {
  watch((state, you) => [state.questions, state.players, you.role, state.game.ended], (questions) => {
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
    // A card is made anew only when it says something else: nobody's finger lands beside its button.
    const says = first ? [first.id, questions.length, me().role, ...now().players.map((player) => player.name)].join() : "";
    if (says === place.dataset.says) return;
    place.dataset.says = says;
    fill(place, first ? card(first, questions.length) : null);
  });
}

const spotOf = (question) => `${question.kind}:${question.about}`;

function card(question, number) {
  const spot = spotOf(question);
  const choices = question.choices.slice(0, MOST_BUTTONS);
  return h("section", { class: "card question", "aria-labelledby": "question-title" },
    h("h2", { id: "question-title" }, say("question.title", { spot: spotName(spot) })),
    h("p", { class: "soft" }, question.why ? say("question.why", { why: said(question.why), said: who(question.said) }) : say("question.why_plain", { said: who(question.said) })),
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
  await attempt(ask, say("question.thanks", { spot, who: who(choice) }), "_corrected");
  answering = null;
}

/** A question that goes away was answered by another phone, or by the board itself. */
function gone(question) {
  if (answering === question.id || now().questions.some((one) => one.id === question.id)) return;
  const spot = spotOf(question);
  const held = now().spots[spot];
  if (held?.by === "person") toast(say("question.elsewhere", { spot: spotName(spot), who: who(held.colour) }));
}
