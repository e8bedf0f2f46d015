// Looking at what other phones did. Where nothing is heard, what is shown may be old, and a line on top says so.

import { get } from "../shared/api.js";
import { say } from "../shared/words.js";

const LOST = { 0: "lost.text", 404: "cards.gone" };

export const DELETED = 410;

/** Return the game as the server has it; null where it does not say. */
export async function lookAt(path) {
  const answer = await get(path).catch((error) => error);
  if (answer.status === DELETED) location.reload(); // the page then says how it comes back
  const isTold = !(answer instanceof Error);
  if (isTold || answer.status in LOST) tell(isTold ? "" : say(LOST[answer.status]));
  return isTold ? answer : null;
}

function tell(text) {
  const place = document.getElementById("trouble");
  place.hidden = !text;
  if (place.textContent !== text) place.textContent = text;
}
