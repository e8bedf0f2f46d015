// Who plays here: games and wins of everyone with a name.

import { address, get } from "../shared/api.js";
import { button, car, fill, h } from "../shared/dom.js";
import { paintOf } from "../shared/paint.js";
import { toast } from "../shared/sheets.js";
import { me } from "../shared/state.js";
import { day, isolated, number, say, sayCount } from "../shared/words.js";
import { comeIn, takeInCard } from "./host.js";

const at = (id) => document.getElementById(id);
const AGAIN_MS = 30;
const LEAST_GUESTS = 3; // fewer stand among the others

start();

async function start() {
  await comeIn().catch((error) => toast(error.message, { isTrouble: true }));
  fill(at("host"), me().is_host ? saveCard() : null, takeInCard(show));
  await show();
  document.body.dataset.ready = "yes";
}

/** Show everybody; games that were never read come bit by bit. */
async function show() {
  for (;;) {
    let told;
    try {
      told = await get("/people");
    } catch (error) {
      return toast(error.message, { isTrouble: true });
    }
    draw(told);
    if (!told.unread) return null;
    await new Promise((go) => setTimeout(go, AGAIN_MS));
  }
}

/** Show who has won most first; names that came once stand apart. */
function draw({ people, unread }) {
  const order = [...people].sort((a, b) => b.wins - a.wins || b.counted - a.counted || b.played_at_s - a.played_at_s);
  const guests = people.filter((person) => person.games === 1 && !person.wins);
  const isGuest = (person) => guests.length >= LEAST_GUESTS && guests.length < people.length && guests.includes(person);
  const known = order.filter((person) => !isGuest(person));
  const once = order.filter(isGuest);
  at("count").textContent = unread ? sayCount("history.unread", unread) : people.length ? sayCount("people.count", people.length) : say("people.none");
  at("people").hidden = !known.length;
  at("once").hidden = !once.length;
  fill(at("people"), known.map(row));
  fill(at("once").querySelector("ol"), once.map(row));
}

function row(person) {
  const about = sayCount("people.row", person.counted, { day: day(person.played_at_s) });
  return h("li", {}, h("a", { class: "person-row", href: `/history/people/${person.person}`, "data-key": `person-${person.person}` },
    car(paintOf(person.colour)),
    h("span", {}, h("strong", {}, isolated(person.name)), h("span", { class: "soft" }, about)),
    h("span", { class: "wins" }, h("strong", {}, number(person.wins)), h("span", { class: "soft" }, sayCount("people.wins", person.wins)))));
}

function saveCard() {
  return h("section", { class: "card" },
    h("h2", {}, say("people.save")),
    h("p", { class: "soft" }, say("people.save_text")),
    button("save-all", say("people.save_file"), () => location.assign(address("/people/games")), { class: "wide" }));
}
