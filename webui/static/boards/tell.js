// What was done and what went wrong, and files that are sent as they are.

import { address, CallError } from "../shared/api.js";
import { attempt as attemptAtTable } from "../shared/attempts.js";
import { said } from "../shared/said.js";
import { toast } from "../shared/sheets.js";
import { say } from "../shared/words.js";

const MOST_BYTES = 32 * 2 ** 20;

export const tell = toast;

/** Do something on the server and say why not where it refuses; gives back its answer, null for no. */
export const attempt = (act) => attemptAtTable(act, "", null, inWords);

/** Return why the server refused: what is wrong with the board in its words, else the page's own. */
function inWords(error) {
  const text = error.status === 400 || error.status === 404 ? error.body?.error?.message : null;
  return text ? said(text.replace(/\.$/, "")) : error.message;
}

/** Send a file; what the server says against it is the error's message. */
export async function sendFile(method, path, file) {
  if (file.size > MOST_BYTES) throw new CallError(413, "too large", say("error.too_large"), {});
  let response;
  try {
    response = await fetch(address(path), { method, headers: { "Content-Type": "application/octet-stream" }, body: file });
  } catch {
    throw new CallError(0, "lost", say("error.lost"), {});
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new CallError(response.status, answer.error?.code ?? "", said(answer.error?.message) ?? say("error.other"), answer);
}
