// Before a game is open: begin one, go on with one, look after the deck.

import { get, post } from "../shared/api.js";
import { button, car, fill, h } from "../shared/dom.js";
import { paintOf } from "../shared/paint.js";
import { confirmSheet, openSheet } from "../shared/sheets.js";
import { colourWord, dayAndTime, list, say, sayCount } from "../shared/words.js";
import { textOf, theDeck } from "./deck.js";
import { openDeckSheet } from "./deck_sheets.js";
import { attempt } from "./faults.js";
import { forgetGame, keptGames } from "./game.js";

/** Show the start; `open(id, kind)` opens a game. */
export async function showHome(place, open) {
  const here = theDeck().is_here ? await get("/card-games").then((answer) => answer.games, () => []) : [];
  const [dealing, counting] = [deal(open), begin(open)]; // made once: their names are typed before there is a game that could keep them
  const draw = () => fill(place, canDeal() ? dealing : dealCard(h("p", { class: "soft" }, say("cards.deal_needs"))), counting, goOn(here, open, draw), deckCard(draw));
  draw();
}

function begin(open) {
  const start = async (players) => {
    const answer = await attempt(() => post("/card-games", { players }));
    if (answer) open(answer.id);
  };
  return h("section", { class: "card" }, h("h2", {}, say("cards.new_title")), h("p", { class: "soft" }, say("cards.new_text")), playersForm([], say("cards.new_button"), start), importButton(open));
}

const DEALT_TO_EACH = 6;

/** Tell whether enough of the deck is typed in for a game that is dealt to phones. */
const canDeal = () => theDeck().tickets.length >= FEWEST * DEALT_TO_EACH;
const dealCard = (...parts) => h("section", { class: "card" }, h("h2", {}, say("cards.deal_title")), parts);

function deal(open) {
  const mayLook = h("input", { type: "checkbox", id: "may-look" });
  const start = async (players) => {
    const answer = await attempt(() => post("/dealt-card-games", { players: players.map(({ colour, name, computer }) => ({ colour, name, computer: computer || null })), may_look: mayLook.checked }));
    if (answer) open(answer.id, "play");
  };
  return dealCard(h("p", { class: "soft" }, say("cards.deal_text")), playersForm([], say("cards.deal_button"), start, { key: "deal-", mayCompute: true }),
    h("label", { for: "may-look", class: "check" }, mayLook, h("span", {}, say("cards.may_look"))));
}

function importButton(open) {
  const take = async (text, sheet, fault) => {
    let game = null;
    try {
      game = JSON.parse(text);
    } catch {
      // said below
    }
    if (game === null || typeof game !== "object" || Array.isArray(game)) return (fault.textContent = say("cards.import_wrong"));
    try {
      const answer = await post("/card-games/import", { game });
      sheet.close();
      return open(answer.id);
    } catch (error) {
      if (error.status === undefined) throw error;
      return (fault.textContent = error.message);
    }
  };
  const show = () => {
    const file = h("input", { type: "file", id: "game-file", accept: ".json" });
    const fault = h("p", { class: "trouble-text", role: "alert" });
    const sheet = openSheet(say("cards.import_title"), () => [h("label", { for: "game-file" }, say("cards.import_label")), file, fault]);
    file.addEventListener("change", async () => file.files[0] && take(await textOf(file.files[0]), sheet, fault));
  };
  return button(null, say("cards.import_title"), show, { class: "quiet" });
}

function goOn(here, open, draw) {
  const kept = keptGames();
  const known = new Set(here.map((game) => game.id));
  const games = [...here.map((game) => ({ id: game.id, who: game.players.map((player) => player.name || player.colour), at: game.changed_at_s })), ...kept.filter((game) => !known.has(game.id))];
  if (!games.length) return null;
  const forget = (game) => confirmSheet(say("cards.forget_title"), say("cards.forget_text"), say("cards.forget_yes"), () => (forgetGame(game.id), draw()));
  return h("section", { class: "card" }, h("h2", {}, say("cards.go_on")), h("ul", { class: "plain" }, games.map((game) => h("li", { class: "game-row" },
    button(`game-${game.id}`, [h("span", {}, list(game.who ?? [])), h("span", { class: "soft" }, game.at ? dayAndTime(game.at) : "")], () => open(game.id, game.kind), { class: "result" }),
    known.has(game.id) ? null : button(null, "×", () => forget(game), { class: "quiet", "aria-label": say("cards.forget_title") })))));
}

function deckCard(draw) {
  const { tickets, is_here } = theDeck();
  return h("section", { class: "card" }, h("h2", {}, say("cards.deck_title")), h("p", {}, sayCount("cards.deck_has", tickets.length)),
    h("p", { class: "soft" }, is_here ? say("cards.deck_text") : say("cards.deck_not_here")),
    button("deck", is_here ? say("cards.deck_open") : say("cards.deck_look"), () => openDeckSheet(draw), { class: "wide" }));
}

// Who plays, in which colour: for a new game, and for one that goes on.

const COLOURS = ["red", "blue", "green", "black", "yellow", "white", "orange", "purple"];
const [FEWEST, MOST] = [2, 4];
const WHO = { "": "cards.person", easy: "dealt.easy", medium: "dealt.medium", hard: "dealt.hard" };

/** Return a form of the players; `done(players)` gets them in turn order. `key` tells two forms apart; where computers may play, each row says who does. */
export function playersForm(players, doneText, done, { key = "", mayCompute = false } = {}) {
  let seats = players.length ? players.map((player) => ({ ...player, was: player.colour })) : COLOURS.slice(0, FEWEST).map((colour) => ({ colour, name: "" }));
  const form = h("form", { class: "stack" });
  const draw = () => fill(form, seats.map(row),
    seats.length < MOST ? button(`${key}more`, say("cards.player_more"), more) : null,
    h("button", { type: "submit", class: "primary", "data-key": `${key}done` }, doneText));
  const free = () => COLOURS.filter((colour) => seats.every((seat) => seat.colour !== colour));
  const more = () => ((seats = [...seats, { colour: free()[0], name: "" }]), draw());
  const row = (seat, i) => {
    const name = h("input", { type: "text", id: `${key}player-${i}`, maxlength: 40, autocomplete: "off", "data-key": `${key}name-${i}`, placeholder: say("cards.player_name"), "aria-label": say("cards.player_n", { n: i + 1 }), on: { input: (event) => (seat.name = event.target.value) } });
    name.value = seat.name ?? "";
    const colour = h("select", { "aria-label": say("cards.player_colour", { n: i + 1 }), "data-key": `${key}colour-${i}`, on: { change: (event) => ((seat.colour = event.target.value), draw()) } },
      COLOURS.filter((one) => one === seat.colour || free().includes(one)).map((one) => h("option", { value: one, selected: one === seat.colour }, colourWord(one))));
    const leave = () => ((seats = seats.filter((other) => other !== seat)), draw());
    const who = h("select", { class: "seat-who", "aria-label": say("cards.who_plays", { n: i + 1 }), "data-key": `${key}who-${i}`, on: { change: (event) => (seat.computer = event.target.value) } },
      Object.entries(WHO).map(([one, word]) => h("option", { value: one, selected: one === (seat.computer ?? "") }, say(word))));
    return h("div", { class: "seat-row" }, car(paintOf(seat.colour)), name, colour,
      seats.length > FEWEST ? button(null, "×", leave, { class: "quiet", "aria-label": say("cards.player_less", { n: i + 1 }) }) : null, mayCompute ? who : null);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    done(seats.map(({ colour, name, was, computer }) => ({ colour, name: (name ?? "").trim(), was: was ?? null, computer })));
  });
  draw();
  return form;
}
