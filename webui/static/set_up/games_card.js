// Games that were not played to their end: one tap goes on with one.

import { h } from "../shared/dom.js";
import { list, say } from "../shared/words.js";
import { goingOn, nameOf } from "./in_short.js";
import { fillAnew } from "./parts.js";

const language = document.documentElement.lang;

/** Show the games to go on with; the one that was chosen, where its camera is still to be set up. */
export function showGames(place, view, resume) {
  const chosen = goingOn(view);
  fillAnew(place, [view.games, view.game], () => (chosen ? chosenCard(chosen, resume) : view.games.length ? card(view.games, resume) : null));
}

function card(games, resume) {
  return h("section", { class: "card games", "aria-labelledby": "games-title" },
    h("h2", { id: "games-title" }, say("set_up.games_title")),
    games.map((game) => h("button", { type: "button", class: "option", "data-key": `game-${game.id}`, on: { click: () => resume(game.id) } },
      h("strong", {}, say("set_up.go_on_with", { game: called(game) })),
      h("span", { class: "soft" }, say("set_up.game_of", { players: list(game.players.map(nameOf)), day: day(game.began_at_s) })))));
}

function chosenCard(game, resume) {
  return h("section", { class: "card games" },
    h("p", {}, h("strong", {}, say("set_up.going_on", { game: called(game) }))),
    h("button", { type: "button", class: "wide", "data-key": "new-game", on: { click: () => resume(null) } }, say("set_up.new_game")));
}

const called = (game) => game.name || game.title;

function day(atS) {
  return new Date(atS * 1000).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}
