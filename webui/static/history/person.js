// One person: games, wins, the last ten, what they are best at, routes they love, and whom they play against.

import { get, patch, remove } from "../shared/api.js";
import { button, car, fill, h } from "../shared/dom.js";
import { paintOf } from "../shared/paint.js";
import { attempt, confirmSheet, openSheet, toast } from "../shared/sheets.js";
import { me } from "../shared/state.js";
import { day, isolated, list, number, say, sayCount } from "../shared/words.js";
import { comeIn } from "./host.js";

const at = (id) => document.getElementById(id);
const id = location.pathname.split("/").at(-1);
const AGAIN_MS = 30;
const MOST_BARS = 10;
const MOST_LETTERS = 40;
const LEAST_SHARE = 0.08; // of the tallest bar, so that one of no points is seen

start();

async function start() {
  try {
    await comeIn();
    await show();
  } catch (error) {
    if (error.status === undefined) throw error;
    at("about").textContent = error.message;
    toast(error.message, { isTrouble: true });
  }
  document.body.dataset.ready = "yes";
}

/** Show the person; games that were never read come bit by bit. */
async function show() {
  for (;;) {
    const told = await get(`/games?player=${encodeURIComponent(id)}`);
    const person = told.people.find((one) => one.person === id);
    if (person) draw(person, told);
    else at("about").textContent = told.unread ? sayCount("history.unread", told.unread) : say("people.no_such");
    if (!told.unread) return;
    await new Promise((go) => setTimeout(go, AGAIN_MS));
  }
}

function draw(person, { games, bests, head_to_head: against, people }) {
  const name = isolated(person.name);
  document.title = name;
  at("name").textContent = name;
  fill(at("car"), car(paintOf(person.colour)));
  at("about").textContent = say("people.last_played", { day: day(person.played_at_s) });
  at("person").hidden = false;
  const best = Math.max(...bests.map((edition) => edition.most_points?.value ?? 0), 0);
  fill(at("figures"), figure(sayCount("people.games", person.counted), number(person.counted)), figure(sayCount("people.wins", person.wins), number(person.wins)), best ? figure(say("people.best"), number(best)) : null);
  drawLast(games.filter((game) => game.ended && game.counts).slice(0, MOST_BARS).reverse());
  fill(at("editions"), bests.map(editionCard));
  at("against").hidden = !against.length;
  fill(at("against").querySelector("div"), h("ul", { class: "card people plain" }, against.map((one) => rival(one, people))));
  at("all").href = `/history?player=${encodeURIComponent(person.key)}`;
  at("all").hidden = false;
  fill(at("host"), me().is_host ? hostButtons(person, people) : null);
}

function figure(what, value) {
  return h("div", {}, h("dt", {}, what), h("dd", {}, value));
}

/** Show the points of the last games, the newest on the right; games that were won are dark. */
function drawLast(games) {
  at("last").hidden = !games.length;
  const own = games.map((game) => [game, game.players.find((player) => player.person === id)]).filter(([, player]) => player);
  const most = Math.max(...own.map(([, player]) => player.points), 1);
  fill(at("last").querySelector("ol"), own.map(([game, player]) => {
    const share = Math.max(player.points / most, LEAST_SHARE);
    const text = say(player.is_winner ? "people.bar_won" : "people.bar", { n: number(player.points), day: day(game.began_at_s) });
    return h("li", {}, h("a", { class: player.is_winner ? "bar is-won" : "bar", href: `/history/${game.id}`, "aria-label": text, title: text }, h("span", { "aria-hidden": "true" }, number(player.points)), bar(share)));
  }));
}

function bar(share) {
  const drawn = h("i", {});
  drawn.style.setProperty("--share", share);
  return drawn;
}

const BESTS = [["most_points", "history.most_points"], ["longest_path", "history.longest_path"], ["most_routes", "history.most_routes"]];

function editionCard(edition) {
  const loved = Object.entries(edition.routes).filter(([, games]) => games > 1);
  const line = (what, value) => h("li", { class: "line" }, h("span", {}, what), h("span", { class: "sum" }, value));
  const best = ([name, key]) => edition[name] && h("li", { class: "line" }, h("a", { class: "best", href: `/history/${edition[name].game}` }, h("span", {}, say(key)), h("span", { class: "soft" }, day(edition[name].at_s))), h("span", { class: "sum" }, number(edition[name].value)));
  const won = sayCount("people.won_of", edition.games, { wins: number(edition.wins) });
  return h("section", { class: "card" },
    h("h2", {}, edition.title),
    h("ul", { class: "plain" },
      line(say("people.won"), won),
      line(say("people.average"), number(Math.round(edition.average))),
      BESTS.map(best),
      edition.tickets ? line(say("people.tickets"), say("people.of", { n: number(edition.tickets_done), all: number(edition.tickets) })) : null),
    loved.length ? h("p", {}, h("strong", {}, say("people.loved")), " ", list(loved.map(([name, games]) => say("people.route", { route: name.replace(" - ", " – "), n: number(games) })), "unit")) : null);
}

function rival({ name, won, lost, even, games }, people) {
  const { person, colour } = people.find((one) => one.name.toLowerCase() === name.toLowerCase()) ?? {};
  const text = say("people.rival", { name, won: number(won), lost: number(lost) });
  return h("li", {}, h("a", { class: "person-row", href: `/history/people/${person}`, "aria-label": text }, car(paintOf(colour)),
    h("span", {}, h("strong", {}, isolated(name)), h("span", { class: "soft" }, even ? sayCount("people.even", even) : sayCount("people.games_n", games))),
    h("strong", { class: "wins", dir: "ltr" }, `${number(won)} : ${number(lost)}`)));
}

// What the host may do: another name, two names that are one person, and forgetting one.

function hostButtons(person, people) {
  const others = people.filter((one) => one.person !== person.person);
  return [
    button("rename", say("people.rename"), () => askName(person)),
    others.length ? button("join", say("people.join"), () => askOther(person, others)) : null,
    button("forget", say("people.forget"), () => askToForget(person), { class: "danger" }),
  ];
}

function askName(person) {
  const name = h("input", { type: "text", maxlength: MOST_LETTERS, value: person.name, autocomplete: "off", id: "person-name", "data-key": "person-name" });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const submit = async (event) => {
    event.preventDefault();
    try {
      await patch(`/people/${person.person}`, { name: name.value.trim() });
      sheet.close();
      await show();
    } catch (error) {
      if (error.status === undefined) throw error;
      problem.textContent = error.message;
      problem.hidden = false;
    }
  };
  const sheet = openSheet(say("people.rename"), () => [
    h("p", { class: "soft" }, say("people.rename_text")),
    h("form", { class: "inline", on: { submit } }, h("label", { for: "person-name" }, say("player.name")), h("div", { class: "inline-row" }, name, h("button", { type: "submit", class: "primary" }, say("player.rename")))),
    problem,
  ]);
}

function askOther(person, others) {
  const join = (other) => async () => (await attempt(() => patch(`/people/${person.person}`, { also: other.person }))) && (await show());
  openSheet(say("people.join"), (sheet) => [
    h("p", { class: "soft" }, say("people.join_text", { name: person.name })),
    h("div", { class: "choices" }, others.map((other) => button(`join-${other.person}`, [car(paintOf(other.colour)), h("span", {}, isolated(other.name))], () => (sheet.close(), confirmSheet(say("people.join_title", { name: person.name, other: other.name }), say("people.join_sure"), say("people.join_yes"), join(other), { isRisky: true })), { class: "choice" }))),
  ]);
}

function askToForget(person) {
  const forget = async () => (await attempt(() => remove(`/people/${person.person}`))) && location.assign("/history/people");
  confirmSheet(say("people.forget_title", { name: person.name }), say("people.forget_text"), say("people.forget"), forget, { isRisky: true });
}
