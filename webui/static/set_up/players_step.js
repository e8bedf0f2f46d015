// The second step: who plays, in which colour, in turn order.

import { button, car, fill, h } from "../shared/dom.js";
import { paintOf } from "../shared/paint.js";
import { knownPeople, personChips, without } from "../shared/known_people.js";
import { announce } from "../shared/sheets.js";
import { colourWord, say, sayCount } from "../shared/words.js";
import { choose, theSetUp } from "./choices.js";
import { cardsChoice, openComputers, strengthChoice } from "./computers.js";
import { anyNumber, faultsPlace, heading, option } from "./parts.js";

export const MOST_LETTERS = 40;

/** Show the step. What is typed is kept here until the server has it, so that nothing is lost. */
export function playersStep(place, { foot }) {
  let players = theSetUp().players.map((player) => ({ ...player }));
  let box = null; // the edition whose colours are offered
  let isHouse = theSetUp().any_number; // so many play though the box says otherwise
  let known = []; // who has played here
  const people = h("section", { "aria-labelledby": "known-title" });
  const colours = h("div", { class: "colours" });
  const rows = h("ol", { class: "plain seats" });
  const count = h("p", { class: "soft", id: "players-count" });
  const faults = faultsPlace("players");
  const cards = cardsChoice();
  const house = h("div", { class: "options" });
  const more = button("add-computer", say("set_up.add_computer"), addComputer, { class: "wide" });
  fill(place, heading("set_up.players_title", "set_up.players_text"), people, colours, count, faults.place, house, rows, more, cards.place);

  const fits = () => players.length >= box.players[0] && players.length <= box.players[1];
  const save = () => choose("players", { players: players.map(({ name, colour, computer }) => ({ name: name.trim(), colour, ...(computer ? { computer } : {}) })), any_number: isHouse });

  function change(next) {
    isHouse &&= next.length === players.length;
    players = next;
    draw();
    return save();
  }

  knownPeople().then((found) => ((known = found), box && draw()));

  /** Somebody who has played here comes in by one tap, in the colour of the last time if that is free. */
  function addKnown(person) {
    const free = box.colours.filter((colour) => !players.some((player) => player.colour === colour));
    change([...players, { colour: free.includes(person.colour) ? person.colour : free[0], name: person.name }]);
  }

  function draw() {
    const others = players.length < box.colours.length ? without(known, players.map((player) => player.name)) : [];
    fill(people, others.length ? [h("h2", { id: "known-title" }, say("people.known")), personChips(others, addKnown)] : null);
    people.hidden = !others.length;
    const taken = (colour) => players.some((player) => player.colour === colour);
    fill(colours, box.colours.map((colour) => {
      const press = () => change(taken(colour) ? players.filter((player) => player.colour !== colour) : [...players, { colour, name: "" }]);
      return option(`colour-${colour}`, taken(colour), press, car(paintOf(colour)), h("span", {}, colourWord(colour)));
    }));
    const [least, most] = box.players;
    count.textContent = least === most ? sayCount("set_up.players_exactly", least) : say("set_up.players_limits", { least, most });
    fill(rows, players.map(row));
    more.disabled = players.length === box.colours.length;
    const allow = () => ((isHouse = !isHouse), draw(), save());
    fill(house, players.length && !fits() ? option("any-number", isHouse, allow, anyNumber(players)) : null);
    foot.next.disabled = !(fits() || isHouse);
  }

  function row(player, i) {
    const { colour } = player;
    const name = h("input", { type: "text", maxlength: MOST_LETTERS, autocomplete: "off", enterkeyhint: "done", "data-key": `name-${colour}`, placeholder: colourWord(colour), "aria-label": say("set_up.name_of", { colour: colourWord(colour) }), on: {
      input: () => (player.name = name.value),
      change: save,
      keydown: (event) => event.key === "Enter" && name.blur(),
    } });
    name.value = player.name === colour ? "" : player.name;
    const sign = (key, text, sayKey, act, isOff = false) => button(`${key}-${colour}`, text, act, { class: "small", disabled: isOff, "aria-label": say(sayKey, { player: called(player) }) });
    const strength = () => strengthChoice(player, (computer) => ((player.computer = computer), save()));
    return h("li", { class: "seat" }, car(paintOf(colour)), player.computer ? strength() : name,
      sign("up", "↑", "set_up.up", () => move(i, i - 1, "up"), i === 0),
      sign("down", "↓", "set_up.down", () => move(i, i + 1, "down"), i === players.length - 1),
      sign("remove", "×", "set_up.remove", () => remove(player)));
  }

  function addComputer() {
    const free = box.colours.filter((colour) => !players.some((player) => player.colour === colour));
    openComputers(free, (colour, computer) => {
      change([...players, { colour, name: "", computer }]);
      rows.querySelector(`[data-key="strength-of-${colour}"]`)?.focus();
    });
  }

  /** The keyboard follows the player; at an end, where its button is off, it goes to the other one. */
  function move(from, to, way) {
    const next = [...players];
    next.splice(to, 0, ...next.splice(from, 1));
    change(next);
    const { colour } = next[to];
    const sign = (key) => rows.querySelector(`[data-key="${key}-${colour}"]`);
    (sign(way).disabled ? sign(way === "up" ? "down" : "up") : sign(way)).focus();
    announce(say("set_up.moved", { player: called(next[to]), n: to + 1 }));
  }

  function remove(player) {
    change(players.filter((other) => other !== player));
    colours.querySelector(`[data-key="colour-${player.colour}"]`)?.focus();
  }

  return {
    show(view) {
      faults.show(view);
      cards.show(view);
      const isSame = JSON.stringify(view.edition) === JSON.stringify(box);
      box = view.edition;
      if (isSame) return;
      isHouse = view.any_number;
      draw();
    },
    /** Hand in what is still being typed. */
    leave: () => (players.some((player, i) => player.name.trim() !== theSetUp().players[i]?.name) ? save() : true),
  };
}

function called(player) {
  return player.name.trim() || colourWord(player.colour);
}
