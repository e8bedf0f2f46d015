// Computers that play along: which colour and how strong; and where the cards are, which they too are dealt.

import { car, fill, fillAnew, h } from "../shared/dom.js";
import { paintOf } from "../shared/paint.js";
import { openSheet } from "../shared/sheets.js";
import { colourWord, say } from "../shared/words.js";
import { choose } from "./choices.js";
import { option } from "./parts.js";

const NAMES = { easy: "set_up.easy", medium: "set_up.medium", hard: "set_up.hard" };
const TEXTS = { easy: "set_up.easy_text", medium: "set_up.medium_text", hard: "set_up.hard_text" };
const STRENGTHS = Object.keys(NAMES);
const USUAL = "medium";

/** Open the choice of a computer; `add(colour, strength)` is called with what was tapped. */
export function openComputers(free, add) {
  let strength = USUAL;
  const choice = h("div", { class: "options strengths", role: "group", "aria-label": say("set_up.strength") });
  const draw = () => fill(choice, STRENGTHS.map((one) => option(`strength-${one}`, one === strength, () => ((strength = one), draw()), h("strong", {}, say(NAMES[one])), h("span", { class: "soft" }, say(TEXTS[one])))));
  draw();
  openSheet(say("set_up.add_computer"), (sheet) => [
    h("p", { class: "soft" }, say("set_up.computer_text")),
    h("h3", {}, say("set_up.strength")), choice,
    h("h3", {}, say("set_up.computer_colour")),
    h("div", { class: "colours" }, free.map((colour) => option(`computer-${colour}`, false, () => (sheet.close(), add(colour, strength)), car(paintOf(colour)), h("span", {}, colourWord(colour))))),
  ], { name: "tall" });
}

/** Return what stands in a computer's row in the place of a name: how strong it is. */
export function strengthChoice({ colour, computer }, take) {
  const select = h("select", { "data-key": `strength-of-${colour}`, "aria-label": say("set_up.strength_of", { colour: colourWord(colour) }), on: { change: () => take(select.value) } },
    STRENGTHS.map((one) => h("option", { value: one, selected: one === computer }, say(NAMES[one]))));
  return h("span", { class: "computer" }, h("strong", {}, say("set_up.computer")), select);
}

/** Return a place for the choice where the cards are; `show(view)` fills it. */
export function cardsChoice() {
  const place = h("section", { class: "options", "aria-labelledby": "cards-title" });
  return {
    place,
    show({ cards, players }) {
      const hasComputers = players.some((player) => player.computer);
      fillAnew(place, [cards, hasComputers], () => [
        h("h2", { id: "cards-title" }, say("set_up.cards_title")),
        choiceOf("table", cards, hasComputers ? "set_up.cards_computer" : "set_up.cards_table_text", hasComputers),
        choiceOf("phones", cards, "set_up.cards_phones_text", false),
      ]);
    },
  };
}

function choiceOf(where, chosen, text, isOff) {
  const choice = option(`cards-${where}`, where === chosen, () => choose("cards", { cards: where }), h("strong", {}, say(PLACES[where])), h("span", { class: "soft" }, say(text)));
  choice.disabled = isOff;
  return choice;
}

const PLACES = { table: "set_up.cards_table", phones: "set_up.cards_phones" };

/** Return where the cards are. */
export const cardsInFull = ({ cards }) => say(PLACES[cards]);
