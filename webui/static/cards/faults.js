// What is wrong with a deck, and in which line, in the page's language.

import { attempt as attemptAtTable } from "../shared/sheets.js";
import { say } from "../shared/words.js";

const FAULTS = {
  empty: "cards.fault.empty",
  table: "cards.fault.table",
  columns: "cards.fault.columns",
  cities: "cards.fault.cities",
  signs: "cards.fault.signs",
  long: "cards.fault.long",
  points: "cards.fault.points",
  circles: "cards.fault.circles",
  colour: "cards.fault.colour",
  count: "cards.fault.count",
  bonus: "cards.fault.bonus",
  twice: "cards.fault.twice",
  many: "cards.fault.many",
  file: "cards.fault.file",
};

/** Return why a call was refused. */
export function faultText(error) {
  const { fault, value, line } = error.body ?? {};
  if (!(fault in FAULTS)) return error.message;
  const text = say(FAULTS[fault], { value: value ?? "" });
  return line ? say("cards.fault.line", { line, text }) : text;
}

// What was done, and what went wrong in the words of a deck.

/** Do something on the server and say why not where it refuses; gives back its answer, null for no. */
export const attempt = (act) => attemptAtTable(act, "", null, faultText);
