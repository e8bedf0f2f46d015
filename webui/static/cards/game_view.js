// An open game: everyone's score, one player at a time, and its end.

import { address, get, remove } from "../shared/api.js";
import { button, car, codePicture, fill, h, icon } from "../shared/dom.js";
import { paintOf } from "../shared/paint.js";
import { playLinks } from "../shared/plays.js";
import { confirmSheet, openSheet, toast } from "../shared/sheets.js";
import { colourWord, list, number, say, sentence, signed } from "../shared/words.js";
import { theDeck } from "./deck.js";
import { attempt } from "./faults.js";
import { beginSecondDeck, change, restore, theGame } from "./game.js";
import { playersForm } from "./home.js";
import { nameOf, playerPanel } from "./player_panel.js";

const FOUR = 4;
let shown = null;

/** Show the game as it is now. */
export function showGame(place) {
  const { game, answer } = theGame();
  if (!game.players.some(({ colour }) => colour === shown)) shown = game.players[0].colour;
  const player = game.players.find(({ colour }) => colour === shown);
  fill(place, head(game, answer), problems(answer), scores(place, game, answer), playerPanel(shown, called(player)), earlier(game, shown), pointsCard(answer), endCard(game, answer), tools(game));
}

const called = (player) => nameOf(player, colourWord(player.colour));

function head(game, answer) {
  const winners = game.players.filter(({ colour }) => answer.winners?.includes(colour));
  if (game.final && winners.length) return h("p", { class: "last-turns", role: "status", "data-part": "winner" }, h("strong", {}, answer.problems.length ? say("winner.doubtful", { names: list(winners.map(called)) }) : winners.length > 1 ? say("cards.winners", { names: list(winners.map(called)) }) : say("cards.winner", { name: called(winners[0]) })), tieText(answer) ? h("span", {}, tieText(answer)) : null);
  if (game.final && answer.players.some(isOpen)) return h("p", { class: "last-turns", role: "status", "data-part": "winner" }, h("strong", {}, say("cards.undecided", { names: list(answer.players.filter(isOpen).map(called)) })));
  return game.players.length === FOUR ? h("p", { class: "soft" }, (game.round ?? 1) === 1 ? say("cards.first_deck") : say("cards.second_deck")) : null;
}

/** Tell whether it is open which tickets a player completes. */
const isOpen = ({ lines }) => lines.some(({ kind }) => kind === "tickets_undecided");

/** What cannot be by the rules; that of somebody's choice of tickets stands beside it too. */
const problems = (answer) => answer.problems.map(({ what }) => h("p", { class: "trouble-text" }, sentence(what)));

const best = (answer) => Math.max(...answer.players.map(({ total }) => total));

/** Return what decided between equal points; the empty text where nothing had to. */
export const tieText = (answer) => (answer.winners.length < answer.players.filter(({ total }) => total === best(answer)).length ? say("cards.tie_break") : "");

function scores(place, game, answer) {
  return h("ul", { class: "plain score-rows", "aria-label": say("cards.scores") }, answer.players.map((player) => {
    const isWinner = answer.winners?.includes(player.colour);
    const choose = () => ((shown = player.colour), showGame(place));
    return h("li", {}, button(`player-${player.colour}`, [
      car(paintOf(player.colour)), h("span", { class: "score-name" }, called(player), isWinner ? h("span", { class: "won" }, icon("crown"), h("span", { class: "unseen" }, say("cards.won"))) : null), h("span", { class: "row-points", "data-points": player.colour }, number(player.total)),
    ], choose, { class: "choice score-row", "aria-pressed": String(player.colour === shown) }));
  }));
}

/** What was completed when the first deck ran out. */
function earlier(game, colour) {
  const tickets = game.completed?.[colour] ?? [];
  if (!tickets.length) return null;
  return h("section", { class: "card" }, h("h3", {}, say("cards.earlier")), h("ul", { class: "plain" }, tickets.map((ticket) => h("li", { class: "line" }, h("span", {}, ticket.cities.join(" – ")), h("span", { class: "sum" }, number(ticket.points))))));
}

export function pointsCard(answer, nameOfPlayer = called) {
  return h("section", { class: "card" }, h("h2", {}, say("cards.points_title")), answer.players.map((player) =>
    h("details", { open: true, "data-lines": player.colour }, h("summary", {}, car(paintOf(player.colour)), nameOfPlayer(player), h("span", { class: "sum" }, number(player.total))), lineList(player.lines))));
}

function endCard(game, answer) {
  const isFour = game.players.length === FOUR;
  const isFirst = isFour && (game.round ?? 1) === 1;
  const deal = async () => {
    const before = theGame().game;
    if (await beginSecondDeck()) toast(say("cards.second_begun"), { undo: () => restore(before) });
  };
  const bonuses = theDeck().city_bonuses;
  const differs = Object.keys(bonuses).length > 0 && JSON.stringify(Object.entries(bonuses).sort()) !== JSON.stringify(Object.entries(game.city_bonuses ?? {}).sort());
  return h("section", { class: "card" }, h("h2", {}, say("cards.end_title")),
    h("p", { class: "soft" }, game.final ? say("cards.end_is_final") : say("cards.end_is_going")),
    isFirst ? button("second-deck", say("cards.second_title"), () => confirmSheet(say("cards.second_title"), say("cards.second_text"), say("cards.second_yes"), deal), { class: "primary wide" }) : null,
    game.final
      ? button("go-on", say("cards.end_undo"), () => change({ final: false }), { class: "wide" })
      : button("end", [icon("flag"), say("cards.end_button")], () => change({ final: true }), { class: isFirst ? "wide" : "primary wide" }),
    Object.keys(game.city_bonuses ?? {}).length ? null : h("p", { class: "soft" }, say("cards.no_bonuses")),
    differs ? button("bonuses", say("cards.bonuses_take"), () => change({ city_bonuses: bonuses }), { class: "wide" }) : null);
}

function tools(game) {
  const players = () => {
    const sheet = openSheet(say("cards.players"), () => playersForm(game.players, say("cards.players_keep"), async (seats) => {
      const before = theGame().game;
      if (!(await change({ players: seats }))) return;
      sheet.close();
      toast(say("cards.players_kept"), { undo: () => restore(before) });
    }));
  };
  const drop = async () => {
    const { id } = theGame();
    if (await attempt(() => remove(`/card-games/${id}`))) location.reload();
  };
  return h("section", { class: "choices" },
    button("share", [icon("share"), say("cards.share")], () => openShare(`/card-games/${theGame().id}/code`, say("cards.share_text"))),
    button("players", [icon("people"), say("cards.players")], players),
    h("a", { class: "button", href: address(`/card-games/${theGame().id}/export`), download: "" }, say("cards.export")),
    button("delete", [icon("bin"), say("cards.delete_yes")], () => confirmSheet(say("cards.delete_title"), say("cards.delete_text"), say("cards.delete_yes"), drop), { class: "danger" }),
    playLinks(`/card-games/${theGame().id}`, theGame().game.final === true),
    h("a", { class: "help-link", href: "/card-game" }, say("cards.other_games")));
}

const LINES = { ticket_done: "cards.line.ticket_done", ticket_open: "cards.line.ticket_open", city: "cards.line.city" };

/** Return where a player's points come from. */
function lineList(lines) {
  if (!lines.length) return h("p", { class: "soft" }, say("cards.no_points"));
  return h("ul", { class: "plain lines" }, lines.map((line) =>
    h("li", { class: "line" }, h("span", {}, line.kind === "tickets_undecided" ? sentence(line.what) : say(LINES[line.kind], { city: line.values.city, ends: line.values.ends?.replaceAll(" - ", " – ") })), h("span", { class: "sum" }, signed(line.points)))));
}

// The game's link for the other phones at the table.

/** Show the link that a call gives and what it is for, and a code to scan where phones can open it. */
export async function openShare(call, text) {
  const code = await attempt(() => get(call));
  if (!code) return;
  openSheet(say("cards.share"), () => [
    h("p", {}, text),
    code.svg ? codePicture(code.svg, say("cards.share_code")) : h("p", { class: "soft" }, say("cards.share_here")),
    h("p", { class: "link" }, code.url),
  ]);
}
