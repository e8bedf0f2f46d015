// The choice of a seat, and of the name in it: who has played here is tapped, somebody new types.

import { patch, post } from "../shared/api.js";
import { button, car, h } from "../shared/dom.js";
import { knownPeople, personChips, without } from "../shared/known_people.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { attempt, openSheet, toast } from "../shared/sheets.js";
import { me, now, seated } from "../shared/state.js";
import { askWhoIAm } from "../shared/stream.js";
import { colourWord, say } from "../shared/words.js";

const KEPT = "railspotter-name"; // this phone's, so that it is asked once
const MOST_LETTERS = 40;
const SOON_MS = 500;

const isNameless = (player) => !player.name || player.name === player.colour;
const isTaken = (player) => player.is_paired && me().seat !== player.seat;

let opening = null; // while the names are asked for: whoever asks again gets the same sheet

/** Open the choice of a seat; with a name that was tapped, the colour of that person's last game is ringed. */
export function openSeats() {
  return (opening ??= openOnce().finally(() => (opening = null)));
}

async function openOnce() {
  const known = knownPeople();
  let people = await soon(known);
  let chosen = keptName();
  const choose = ({ name }) => ((chosen = chosen === name ? "" : name), sheet.refresh());
  const sheet = openSheet(say("seat.title"), () => {
    const players = now().players.filter((player) => !player.computer);
    const free = players.filter((player) => isNameless(player) && !isTaken(player));
    const others = without(people, players.map((player) => player.name));
    const who = others.find((person) => person.name === chosen);
    return [
      free.length && others.length ? h("section", {}, personChips(others, choose, chosen), h("h3", {}, who ? say("seat.trains_of", { name: who.name }) : say("seat.trains"))) : h("p", {}, say("seat.text")),
      h("div", { class: "seats" }, players.map((player) => seatButton(player, who, () => take(player, who, sheet)))),
      button(null, say("seat.watch_only"), () => sheet.close(), { class: "wide quiet" }),
    ];
  }, { follow: (state) => [state.players] });
  people = await known;
  sheet.refresh();
}

/** Return the people, or for a slow answer nobody yet: nothing moves under a thumb if they are there at once. */
const soon = (known) => Promise.race([known, new Promise((go) => setTimeout(go, SOON_MS, []))]);

function seatButton(player, who, act) {
  const isUsual = who?.colour === player.colour && isNameless(player) && !isTaken(player);
  const about = isTaken(player) ? say("seat.taken") : isUsual ? say("seat.as_last_time") : isNameless(player) ? "" : colourWord(player.colour);
  return button(`seat-${player.seat}`, [car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("span", { class: "soft" }, about)], act, { class: isUsual ? "seat is-usual" : "seat", disabled: isTaken(player) });
}

/** Sit down; whose seat says a colour alone is asked for the name. */
export async function take(player, who, sheet) {
  const answer = await attempt(() => post("/seat", { seat: player.seat }));
  if (!answer) return;
  await askWhoIAm();
  sheet?.close();
  const { seat } = player;
  if (!isNameless(player)) welcome(player.name);
  else if (who) await call(seat, who.name);
  else await openName(seat);
}

/** Ask what somebody is called whose seat says a colour alone. */
export async function openName(seat) {
  const known = knownPeople();
  let people = await soon(known);
  const name = h("input", { type: "text", maxlength: MOST_LETTERS, autocomplete: "nickname", enterkeyhint: "done", id: "seat-name", "data-key": "seat-name" });
  const done = (text) => (sheet.close(), call(seat, text));
  const submit = (event) => (event.preventDefault(), name.value.trim() && done(name.value.trim()));
  const sheet = openSheet(say("seat.name_title"), () => {
    const others = without(people, now().players.map((player) => player.name));
    return [
      others.length ? personChips(others, (person) => done(person.name)) : null,
      h("form", { class: "inline", on: { submit } }, h("label", { for: "seat-name" }, others.length ? say("seat.name_new") : say("player.name")),
        h("div", { class: "inline-row" }, name, h("button", { type: "submit", class: "primary" }, say("seat.name_done")))),
      button("no-name", say("seat.no_name"), () => (sheet.close(), welcome(nameOf(seated(seat)))), { class: "wide quiet" }),
    ];
  });
  people = await known;
  sheet.refresh();
}

async function call(seat, name) {
  if (await attempt(() => patch(`/players/${seat}`, { name }))) welcome(name);
}

function welcome(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // A browser that keeps nothing is asked again.
  }
  toast(say("seat.have", { name }));
}

function keptName() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}
