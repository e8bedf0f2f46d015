// The way from a game to the table's first page, for the host, who takes all phones along.

import { post } from "../shared/api.js";
import { attempt, confirmSheet } from "../shared/sheets.js";
import { say } from "../shared/words.js";

/** Leave the game: phones follow when its line ends. */
export async function leaveGame() {
  if (await attempt(() => post("/table/home"))) location.replace("/");
}

/** Ask before a game that goes on is left. */
export function askToLeave() {
  confirmSheet(say("home.leave_title"), say("home.leave_text"), say("home.leave"), leaveGame);
}
