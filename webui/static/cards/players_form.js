// Who plays, in which colour: for a new game, and for one that goes on.

import { car, fill, h } from "../shared/dom.js";
import { paintOf } from "../shared/paint.js";
import { colourWord, say } from "../shared/words.js";

const COLOURS = ["red", "blue", "green", "black", "yellow", "white", "orange", "purple"];
const [FEWEST, MOST] = [2, 4];

/** Return a form of the players; `done(players)` gets them in turn order. */
export function playersForm(players, button, done) {
  let seats = players.length ? players.map((player) => ({ ...player, was: player.colour })) : COLOURS.slice(0, FEWEST).map((colour) => ({ colour, name: "" }));
  const form = h("form", { class: "stack" });
  const draw = () => fill(form, seats.map(row),
    seats.length < MOST ? h("button", { type: "button", "data-key": "more", on: { click: more } }, say("cards.player_more")) : null,
    h("button", { type: "submit", class: "primary", "data-key": "done" }, button));
  const free = () => COLOURS.filter((colour) => seats.every((seat) => seat.colour !== colour));
  const more = () => ((seats = [...seats, { colour: free()[0], name: "" }]), draw());
  const row = (seat, i) => {
    const name = h("input", { type: "text", id: `player-${i}`, maxlength: 40, autocomplete: "off", "data-key": `name-${i}`, placeholder: say("cards.player_name"), "aria-label": say("cards.player_n", { n: i + 1 }), on: { input: (event) => (seat.name = event.target.value) } });
    name.value = seat.name ?? "";
    const colour = h("select", { "aria-label": say("cards.player_colour", { n: i + 1 }), "data-key": `colour-${i}`, on: { change: (event) => ((seat.colour = event.target.value), draw()) } },
      COLOURS.filter((one) => one === seat.colour || free().includes(one)).map((one) => h("option", { value: one, selected: one === seat.colour }, colourWord(one))));
    const leave = () => ((seats = seats.filter((other) => other !== seat)), draw());
    return h("div", { class: "seat-row" }, car(paintOf(seat.colour)), name, colour,
      seats.length > FEWEST ? h("button", { type: "button", class: "quiet", "aria-label": say("cards.player_less", { n: i + 1 }), on: { click: leave } }, "×") : null);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    done(seats.map(({ colour, name, was }) => ({ colour, name: (name ?? "").trim(), was: was ?? null })));
  });
  draw();
  return form;
}
