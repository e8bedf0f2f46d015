// Who plays, as last time, beside who else has played here: a tap leaves one out or brings one in, a new name is typed once.

import { button, car, fill, h, icon } from "../shared/dom.js";
import { MOST_CHIPS, knownPeople, without } from "../shared/known_people.js";
import { paintOf } from "../shared/paint.js";
import { colourWord, say } from "../shared/words.js";
import { choose, theSetUp } from "./choices.js";
import { nameOf } from "./parts.js";
import { MOST_LETTERS } from "./players_step.js";

/** Return a place for them; `show(view)` fills it. Who is left out here stays in sight. */
export function whoPlays(change) {
  let seats = []; // who plays and who was left out, in turn order
  let known = [];
  let named = null; // the seat whose name is being typed
  let saved = Promise.resolve(); // once the last choice is the server's
  let saving = 0; // a choice on its way is newer than what the server says
  const chips = h("div", { class: "person-chips", role: "group", "aria-labelledby": "who-title" });
  const name = h("input", { type: "text", id: "new-name", maxlength: MOST_LETTERS, autocomplete: "off", enterkeyhint: "done", on: {
    change: () => ((named.name = name.value.trim()), save()),
    keydown: (event) => event.key === "Enter" && name.blur(),
  } });
  const naming = h("div", { class: "stack", hidden: true }, h("label", { for: "new-name" }, say("set_up.new_name")), name);
  const place = h("section", { class: "card who" },
    h("div", { class: "who-head" }, h("h2", { id: "who-title", class: "row-what" }, say("set_up.who_plays")), change), chips, naming);
  knownPeople().then((found) => {
    known = found;
    if (place.isConnected) nameAsLastTime();
  });

  const comeWithTheirPlayers = () => Boolean(theSetUp().game) || theSetUp().source?.given === "demo";
  const playing = () => seats.filter((one) => !one.isOut);
  const free = () => theSetUp().edition.colours.filter((colour) => !playing().some((one) => one.colour === colour));

  /** One choice after the other: two that overtake each other would bring back who was left out. */
  function save() {
    draw();
    saving += 1;
    saved = saved.then(async () => {
      const players = playing().map(({ name, colour, computer }) => ({ name, colour, ...(computer ? { computer } : {}) }));
      await choose("players", { players, any_number: theSetUp().any_number && players.length === theSetUp().players.length });
      saving -= 1;
      show(theSetUp());
    });
    return saved;
  }

  /** Who came to a colour of the last game without a name, and was named there, is called so again. */
  function nameAsLastTime() {
    const last = known.filter((person) => person.played_at_s === known[0].played_at_s);
    const nameless = comeWithTheirPlayers() ? [] : playing().filter((one) => !one.name && !one.computer);
    for (const one of nameless) one.name = without(last, seats.map(({ name }) => name)).find((person) => person.colour === one.colour)?.name ?? "";
    return nameless.some((one) => one.name) ? save() : draw();
  }

  function toggle(one) {
    const colours = free();
    if (one.isOut && !colours.includes(one.colour)) one.colour = colours[0];
    one.isOut = !one.isOut;
    return save();
  }

  function add(one) {
    seats.push({ ...one, isOut: true });
    return toggle(seats.at(-1));
  }

  function addNew() {
    const untaken = free().find((colour) => !seats.some((one) => one.colour === colour)); // who was left out may come back
    named = { name: "", colour: untaken ?? free()[0] };
    seats.push(named);
    name.value = "";
    save();
    name.focus();
  }

  function draw() {
    const isFixed = comeWithTheirPlayers();
    const isFull = isFixed || !free().length;
    const chip = (key, one, isIn, act) => button(key, [car(paintOf(one.colour)), h("span", {}, nameOf(one))], act, { class: "person-chip", "aria-pressed": String(isIn), disabled: isIn ? isFixed : isFull });
    const others = isFixed ? [] : without(known, seats.map((one) => one.name)).slice(0, Math.max(0, MOST_CHIPS - seats.length));
    naming.hidden = !named || named.isOut || !seats.includes(named);
    fill(chips, seats.map((one) => chip(`plays-${one.name || one.colour}`, one, !one.isOut, () => toggle(one))),
      others.map((person) => chip(`plays-${person.name}`, person, false, () => add({ name: person.name, colour: person.colour }))),
      button("add-person", [icon("plus"), say("set_up.add_person")], addNew, { class: "person-chip", disabled: isFull }));
  }

  function show({ players }) {
    const told = (all) => JSON.stringify(all.map(({ name, colour, computer }) => [name, colour, computer ?? ""]));
    if (saving) return;
    if (told(players) !== told(playing())) seats = players.map((one) => ({ ...one }));
    draw();
  }
  return { place, show, saved: () => saved };
}
