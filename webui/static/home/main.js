// The table's first page, while no game runs: what can be begun here, and the way to everything else.

import { get, getPatiently, post } from "../shared/api.js";
import { becomingHost } from "../shared/becoming_host.js";
import { openDisplay } from "../shared/display.js";
import { button, car, fillAnew, h, icon, setText } from "../shared/dom.js";
import { askAboutHosts, comeInByLink } from "../shared/hosts.js";
import { paintOf } from "../shared/paint.js";
import { languageChoice } from "../shared/phone.js";
import { attempt } from "../shared/sheets.js";
import { me, setYou } from "../shared/state.js";
import { openThisTable } from "../shared/this_table.js";
import { ago, list, say } from "../shared/words.js";
import { leftGame, nameOf } from "../set_up/parts.js";

const LOOK_MS = 1500;
const at = (id) => document.getElementById(id);
let isAsking = false;

start();

async function start() {
  await comeInByLink(say("join.host"));
  at("own").append(languageChoice());
  setYou(await getPatiently("/you"));
  showTiles();
  for (;;) {
    if (!document.hidden) await look();
    await new Promise((go) => setTimeout(go, LOOK_MS));
  }
}

/** Show what is possible now, and follow the table to the game that begins. */
async function look() {
  const told = await asked().catch((error) => error);
  at("trouble").hidden = !(told instanceof Error);
  if (told instanceof Error) return setText(at("trouble"), told.message);
  const [table, host] = told;
  if (table.phase === "game" || table.phase === "set_up") return location.reload();
  askAboutHosts();
  showTiles(table);
  fillAnew(at("hero"), [table, host, me()], () => (table.phase === "beginning" ? beginning() : me().is_host ? play(table) : waiting(host)));
  document.body.dataset.ready = table.phase === "home" ? "yes" : "no";
}

/** Ask what goes on, who this phone is by now, and how it becomes a host's. */
async function asked() {
  const [table, you] = await Promise.all([get("/table"), get("/you")]);
  setYou(you);
  return [table, await hostNow()];
}

const hero = (...parts) => h("section", { class: "card hero" }, parts);

function beginning() {
  return hero(h("h1", {}, say("set_up.beginning")), h("p", {}, say("set_up.beginning_text")), h("progress", { "aria-label": say("set_up.beginning") }));
}

/** Who is no host waits for one, or becomes one. */
function waiting(host) {
  return hero(h("h1", {}, say(host.has_host ? "home.title" : "hosts.whose")), becomingHost(host, look));
}

/** One red button: the game that was left, else the last one's people, else a first set-up. */
function play({ last, games }) {
  const left = leftGame({ games, game: null });
  const setUp = (key, text, wish, isFirst = false) => button(key, isFirst ? [icon("play"), text] : text, () => begin(wish), { class: isFirst ? "primary wide" : "quiet wide" });
  if (left) {
    return hero(h("p", { class: "kicker" }, say("set_up.left", { ago: ago(left.played_at_s), players: list(left.players.map(nameOf)) })), h("h1", {}, left.name || left.title),
      setUp("go-on", say("home.go_on"), { game: left.id, at_once: true }, true), setUp("other", say("home.new"), {}));
  }
  if (!last) return hero(h("h1", {}, say("home.title")), setUp("first", say("home.first"), {}, true));
  const person = (player) => h("li", {}, car(paintOf(player.colour)), nameOf(player));
  return hero(h("p", { class: "kicker" }, say("home.as_last_time")), h("h1", {}, last.title), h("ul", { class: "people" }, last.players.map(person)),
    setUp("play", say("home.play"), { at_once: true }, true), setUp("other", say("home.other"), {}));
}

async function begin(wish) {
  if (isAsking) return;
  isAsking = true;
  const answer = await attempt(() => post("/table/set-up", wish));
  isAsking = false;
  if (answer) await look();
}

function showTiles({ sees_past: seesPast } = {}) {
  const inside = (sign, name, text) => [icon(sign), h("span", {}, h("strong", {}, say(name)), h("small", {}, say(text))), h("span", { class: "tile-go", "aria-hidden": "true" }, "›")];
  const link = (href, ...words) => h("a", { class: "tile", href }, inside(...words));
  fillAnew(at("tiles"), [me().is_host, seesPast], () => [
    link("/photo", "whole", "home.photo", "home.photo_text"),
    seesPast === false ? null : link("/history", "clock", "home.past", "home.past_text"),
    link("/card-game", "ticket", "home.card_game", "home.card_game_text"),
    me().is_host ? button("this-table", inside("people", "home.table", "home.table_text"), openTable, { class: "tile" }) : null,
  ]);
}

/** Return how things stand with hosts, for a phone that is none. */
const hostNow = () => (me().is_host ? null : get("/host"));

/** Open what its host does with the table itself. */
const openTable = () => openThisTable([
  button("display", say("set_up.display"), openDisplay),
  h("a", { class: "button", href: "/boards" }, say("boards.name")),
]);
