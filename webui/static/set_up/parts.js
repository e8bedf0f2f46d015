// What several steps are made of.

import { address } from "../shared/api.js";
import { openDisplay } from "../shared/display.js";
import { button, fillAnew, h, pictureIfThere } from "../shared/dom.js";
import { ago, colourWord, dayAndTime, isolated, list, number, say, sayCount, sentence } from "../shared/words.js";

/** Return the heading of a step, which gets the keyboard, and the sentence that says what to do. */
export function heading(title, text) {
  return [h("h1", { tabindex: "-1" }, say(title)), text ? h("p", { class: "step-text" }, say(text)) : null];
}

/** Return a large button of which one is chosen. */
export function option(key, isChosen, act, ...children) {
  return button(key, children, act, { class: "option", "aria-pressed": String(isChosen) });
}

/** Return a place for what is wrong at a step; `show(view)` fills it. */
export function faultsPlace(step) {
  const place = h("div", { role: "status" });
  return {
    place,
    show(view) {
      const texts = faultsAt(view, step);
      fillAnew(place, texts, () => texts.map((text) => h("p", { class: "problem" }, sentence(text))));
    },
  };
}

/** Return a place for what is missing and keeps nobody from playing; `show(view)` fills it. */
export function gapsPlace() {
  const place = h("div", {});
  return { place, show: ({ gaps }) => fillAnew(place, gaps, () => gaps.map((gap) => h("p", { class: "soft" }, sentence(gap)))) };
}

// What the camera sees now: one picture after the other, each asked for when the one before is there.

const PAUSE_MS = 400;

/** Return a place for the picture; `show(true)` begins, `show(false)` stops. */
export function livePicture() {
  const image = h("img", { class: "live-picture", alt: say("set_up.picture") });
  const place = h("div", { class: "live", hidden: true }, image);
  let isOn = false;
  let timer = null;
  const ask = () => {
    if (isOn && document.hidden) timer = setTimeout(ask, PAUSE_MS);
    else if (isOn) image.src = `${address("/camera.jpg")}?${Date.now()}`;
  };
  const again = () => (timer = setTimeout(ask, PAUSE_MS));
  image.addEventListener("load", () => ((place.hidden = !isOn), again()));
  image.addEventListener("error", again);
  return {
    place,
    show(mayBe) {
      if (mayBe === isOn) return;
      isOn = mayBe;
      clearTimeout(timer);
      if (isOn) ask();
      else place.hidden = true;
    },
  };
}

// Games that were not played to their end: one tap goes on with one.

const SAME_EVENING_S = 12 * 3600;

/** Return the game that was being played a while ago; null where there is none to go on with. */
export function leftGame({ games, game }) {
  const [newest] = [...games].sort((a, b) => b.played_at_s - a.played_at_s);
  return newest && !game && Date.now() / 1000 - newest.played_at_s < SAME_EVENING_S ? newest : null;
}

/** Offer that game before anything else: who restarts in the middle of one wants nothing more. */
export function showLeftGame(place, view, resume) {
  const game = leftGame(view);
  fillAnew(place, [game, game && ago(game.played_at_s)], () => (game ? h("section", { class: "card left-game" },
    button("go-on", say("set_up.go_on_with", { game: called(game) }), () => resume(game.id), { class: "wide" }),
    h("p", { class: "soft" }, say("set_up.left", { ago: ago(game.played_at_s), players: list(game.players.map((player) => `${nameOf(player)} ${number(player.points)}`)) })),
    packedPicture(game)) : null));
}

/** Show the games to go on with; the one that was chosen, where its camera is still to be set up. */
export function showGames(place, view, resume) {
  const chosen = goingOn(view);
  const games = view.games.filter((game) => game.id !== leftGame(view)?.id);
  fillAnew(place, [games, view.game], () => (chosen ? chosenCard(chosen, resume) : games.length ? gamesCard(games, resume) : null));
}

function gamesCard(games, resume) {
  return h("section", { class: "card games", "aria-labelledby": "games-title" },
    h("h2", { id: "games-title" }, say("set_up.games_title")),
    games.map((game) => button(`game-${game.id}`, [
      h("strong", {}, say("set_up.go_on_with", { game: called(game) })),
      h("span", { class: "soft" }, say("set_up.game_of", { players: list(game.players.map(nameOf)), day: dayAndTime(game.began_at_s) })),
      packedPicture(game),
    ], () => resume(game.id), { class: "option" })));
}

/** Return the board of a game that was packed away. */
function packedPicture({ id, packed_away: isPacked }) {
  return isPacked ? pictureIfThere({ class: "packed-picture", src: address(`/games/${id}/packed.jpg`), alt: say("set_up.packed") }) : null;
}

function chosenCard(game, resume) {
  return h("section", { class: "card games" },
    h("p", {}, h("strong", {}, say("set_up.going_on", { game: called(game) }))),
    button("new-game", say("set_up.new_game"), () => resume(null), { class: "wide" }));
}

const called = (game) => game.name || game.title;

// What nobody needs and some like: a display beside the board, and rules of the house.

/** Show the two buttons; `go(step)` opens a step. */
export function showExtras(place, { house_rules, rules, any_number: isAnyNumber }, go) {
  const changed = Object.keys(house_rules).length + Number(isAnyNumber);
  fillAnew(place, [house_rules, rules, changed], () => h("section", { class: "options extras", "aria-label": say("set_up.optional") },
    extra("display", say("set_up.optional"), openDisplay),
    rules.length ? extra("rules", changed ? sayCount("set_up.rules_n", changed) : say("set_up.optional"), () => go("rules")) : null));
}

const NAMES = { display: "set_up.display", rules: "set_up.rules" };

function extra(name, text, act) {
  return button(`extra-${name}`, [h("strong", {}, say(NAMES[name])), h("span", { class: "soft" }, text)], act, { class: "option" });
}

// What was chosen, in a few words.

const KINDS = { phone: "set_up.phone", demo: "set_up.demo", none: "set_up.camera_none" };
const SHORT_KINDS = { ...KINDS, demo: "set_up.demo_short" };
export const isAddress = (source) => source.includes("://");
const isCamera = (given) => /^(\d+|pi)$/.test(given);

/** Return the house rule that so many play, though the box says otherwise. */
export const anyNumber = (players) => say("set_up.any_number", { n: players.length });

export const gameInShort = ({ edition }) => edition?.title ?? "";
export const gameInFull = ({ edition }) => (edition?.is_own ? say("set_up.by_rules", edition) : edition?.title ?? "");

export function playersInShort({ players }) {
  return players.length ? sayCount("set_up.players_n", players.length) : "";
}

export const sourceInShort = (view) => sourceIn(SHORT_KINDS, view);
export const sourceInFull = (view) => sourceIn(KINDS, view);

function sourceIn(kinds, { source, cameras }) {
  if (!source) return "";
  const { given } = source;
  if (given in kinds) return say(kinds[given]);
  if (isCamera(given)) return cameras.find((camera) => camera.source === given)?.about ?? say("set_up.camera_n", { n: given });
  return say(isAddress(given) ? "set_up.address" : "set_up.film");
}

export function boardInShort({ step, source }) {
  return step === "ready" && source?.has_camera ? say("set_up.found") : "";
}

/** Return the game that goes on, null for a new one. */
const goingOn = ({ game, games }) => (game ? games.find((one) => one.id === game) ?? { id: game, name: "", title: "" } : null);

/** Return a player's name; who has none is called by the colour. */
export function nameOf(player) {
  if (player.computer) return `${say("set_up.computer")} (${colourWord(player.colour)})`;
  return player.name && player.name !== player.colour ? isolated(player.name) : colourWord(player.colour);
}

/** Return what is wrong at a step, in the reader's language. */
function faultsAt({ faults }, step) {
  return faults.filter((fault) => fault.step === step).map((fault) => fault.said.replace(/\.$/, ""));
}
