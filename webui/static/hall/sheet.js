// One table: everyone's score, what happened last, and what the host may have the table do.

import { get, post } from "../shared/api.js";
import { button, car, h } from "../shared/dom.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { me, now, watch } from "../shared/state.js";
import { clock, number, say } from "../shared/words.js";
import { needs } from "./card.js";
import { eventText } from "./events.js";
import { isOver, lastClaimText, lengthText, phaseText } from "./tables.js";

const MOST_SHOWN = 40;
const AGAIN_MS = 1000;

/** Open a table's sheet; it follows what the table tells, and calls `onClose` in the end. */
export function openTable(id, onClose) {
  let events = null;
  let asked = 0;
  const table = () => now().tables[id];
  const sheet = openSheet(table().name, () => body(table(), events), { name: "hall-sheet", onClose: () => (unwatch(), onClose()) });
  const ask = async () => {
    const mine = ++asked;
    const told = await get(`/hall/tables/${id}`).catch(() => null);
    if (mine !== asked || !sheet.dialog.isConnected) return;
    events = told?.events ?? events ?? [];
    sheet.refresh();
  };
  let timer = null;
  const askSoon = () => (timer ??= setTimeout(() => ((timer = null), ask()), AGAIN_MS));
  const unwatch = watch((state, you) => [state.tables[id], you.is_host], ([told], before) => {
    if (!before) return;
    sheet.retitle(told.name);
    sheet.refresh();
    if (told.events !== before[0].events || told.game !== before[0].game) askSoon();
  });
  ask();
}

function body(table, events) {
  return [
    h("p", { class: "soft" }, [table.title, phaseText(table), table.game ? lengthText(table) : ""].filter(Boolean).join(" · ")),
    needs(table),
    me().is_host ? commands(table) : null,
    table.game ? scores(table) : h("p", {}, say("hall.no_game")),
    table.last_claim ? h("p", {}, `${lastClaimText(table)} · ${clock(table.last_claim.at_s)}`) : null,
    table.game ? happened(table, events) : null,
  ];
}

function scores(table) {
  const heads = [say("score.player"), say("hall.trains_left"), say("hall.path"), say("hall.points")];
  return h("table", { class: "score-table" },
    h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, table.players.map((player) => h("tr", { class: table.leaders.includes(player.seat) ? "is-leading" : null },
      h("th", { scope: "row" }, car(paintOf(player.colour)), h("span", {}, nameOf(player), tags(table, player))),
      h("td", {}, number(player.trains_left)), h("td", {}, number(player.longest_path)), h("td", {}, number(player.points))))));
}

function tags(table, player) {
  const tag = (text) => [" ", h("span", { class: "tag" }, text)];
  return [
    player.is_winner ? [" ", h("span", { class: "tag tag-winner" }, say("tag.winner"))] : null,
    !player.is_winner && table.leaders.includes(player.seat) ? tag(say("hall.leads")) : null,
    player.holds_longest ? tag(say("tag.longest")) : null,
    table.turn === player.seat && !isOver(table) ? tag(say("tag.turn")) : null,
    player.has_left ? tag(say("tag.left")) : null,
  ];
}

const COMMANDS = [
  ["pause", "hall.pause", "hall.pause_sent", (table) => table.phase === "playing"],
  ["resume", "hall.resume", "hall.resume_sent", (table) => table.phase === "paused"],
  ["look_again", "hall.look_again", "hall.look_again_sent", (table) => !isOver(table)],
];

/** Return what the host may have the table do: what it lets others do, and what is of use now. */
function commands(table) {
  if (!table.is_online) return null;
  if (!table.commands.length) return h("p", { class: "soft" }, say("hall.no_commands"));
  const send = (command, done) => attempt(() => post(`/hall/tables/${table.id}/commands`, { command }), say(done, { table: table.name }));
  return h("div", { class: "choices" }, COMMANDS
    .filter(([command, , , isOfUse]) => table.commands.includes(command) && isOfUse(table))
    .map(([command, text, done]) => button(command, say(text), () => send(command, done))));
}

function happened(table, events) {
  const told = (events ?? []).map((event) => [event, eventText(event, table)]).filter(([, text]) => text).slice(-MOST_SHOWN).reverse();
  return h("section", {}, h("h3", {}, say("log.title")),
    told.length
      ? h("ol", { class: "plain hall-events" }, told.map(([event, text]) => h("li", { class: "line" }, h("span", { class: "soft" }, clock(event.at_s)), h("span", {}, text))))
      : h("p", { class: "soft" }, say(events ? "hall.no_events" : "hall.waiting")));
}
