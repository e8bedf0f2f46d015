// Things done on the server, each followed by a line that says what was done, with Undo, or why not.

import { post } from "./api.js";
import { toast } from "./sheets.js";
import { say } from "./words.js";

const LINK = /^#host=([\w-]+)$/;

/**
 * Do something on the server and say what was done, or why not; gives back its answer, null for no.
 *
 * Undo takes back the event that the answer names, unless `undo` is a function that does it.
 */
export async function attempt(act, done = "", undo = null) {
  try {
    const answer = await act();
    const event = answer?.undo?.event;
    if (done) toast(done, { undo: undo ?? (event ? () => takeBack(event) : null) });
    return answer;
  } catch (error) {
    if (error.status === undefined) throw error;
    toast(error.message, { isTrouble: true });
    return null;
  }
}

export async function takeBack(event) {
  const answer = await attempt(() => post("/undo", { event }));
  if (answer) toast(say("undo.done"), { undo: () => putBack(event), undoText: say("redo.button") });
}

export async function putBack(event) {
  await attempt(() => post("/redo", { event }), say("redo.done"), () => takeBack(event));
}

/** Become the host, where the page was opened by the host's link; tell whether nothing was refused. */
export async function becomeHost() {
  const token = LINK.exec(location.hash)?.[1];
  if (!token) return true;
  history.replaceState(null, "", location.pathname);
  return (await attempt(() => post("/join", { token }))) !== null;
}
