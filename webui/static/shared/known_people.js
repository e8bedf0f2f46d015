// People who have played here, as chips: one tap in place of a name that is typed.

import { get } from "./api.js";
import { button, car, h } from "./dom.js";
import { paintOf } from "./paint.js";
import { isolated, say } from "./words.js";

export const MOST_CHIPS = 12;
const AGAIN_MS = 50;
const MOST_TIMES = 20; // games that were never read are read bit by bit

const keyOf = (name) => name.trim().toLowerCase();

/** Return who has played here, the last ones first; nobody where this phone is not told. */
export async function knownPeople() {
  let told = { people: [], unread: 1 };
  try {
    for (let times = 0; told.unread && times < MOST_TIMES; times++) {
      if (times) await new Promise((go) => setTimeout(go, AGAIN_MS));
      told = await get("/people");
    }
  } catch (error) {
    if (error.status === undefined) throw error;
  }
  return told.people.sort((a, b) => b.played_at_s - a.played_at_s);
}

/** Return those of them who have none of these names. */
export function without(people, names) {
  const taken = new Set(names.map(keyOf));
  return people.filter((person) => !taken.has(keyOf(person.name)));
}

/** Return them as chips, each with the colour of their last game; `take(person)` hears a tap. */
export function personChips(people, take, chosen = null) {
  return h("div", { class: "person-chips", role: "group", "aria-label": say("people.known") }, people.slice(0, MOST_CHIPS).map((person) =>
    button(`person-${person.person}`, [car(paintOf(person.colour)), h("span", {}, isolated(person.name))], () => take(person), { class: "person-chip", "aria-pressed": chosen === null ? null : String(chosen === person.name) })));
}
