// What was done, and what went wrong in the words of a deck.

import { attempt as attemptAtTable } from "../shared/attempts.js";
import { toast } from "../shared/sheets.js";
import { faultText } from "./faults.js";

export const tell = toast;

/** Do something on the server and say why not where it refuses; gives back its answer, null for no. */
export const attempt = (act) => attemptAtTable(act, "", null, faultText);
