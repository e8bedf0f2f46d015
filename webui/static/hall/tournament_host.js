// What the host of a tournament does: begin it, add players, seat rounds, take and correct results.

import { patch, post, put, remove } from "../shared/api.js";
import { attempt } from "../shared/attempts.js";
import { button, h } from "../shared/dom.js";
import { confirmSheet, openSheet, toast } from "../shared/sheets.js";
import { now } from "../shared/state.js";
import { number, say, sayCount } from "../shared/words.js";
import { nameIn } from "./tournament.js";

const BASE = "/hall/tournament";
const TOLD = [400, 404, 409]; // the server's own sentence says more than one for all of them
const SIZES = [2, 3, 4, 5];

const why = (error) => (TOLD.includes(error.status) && error.body?.error?.message) || error.message;
const act = (call, done = "") => attempt(call, done, null, why);

/** Return the button that begins a tournament, the first or another one. */
export function beginButton(held) {
  return button("begin", say(held ? "tournament.begin_another" : "tournament.begin"), () => openSheet(say("tournament.begin"), (sheet) => {
    const name = field("tournament-name", say("tournament.its_name"), h("input", { maxlength: 80, autocomplete: "off" }));
    const sizes = { smallest: 2, preferred: 4, largest: 5 };
    const fields = Object.entries(sizes).map(([key, size]) => choice(`tournament-${key}`, say(`tournament.${key}`), SIZES.map((n) => [n, number(n)]), size));
    const send = async () => {
      const [smallest, preferred, largest] = fields.map(({ input }) => Number(input.value));
      if (await act(() => post(BASE, { name: name.input.value.trim(), smallest, preferred, largest }))) sheet.close();
    };
    return [held ? h("p", {}, say("tournament.ends_old", { name: held.name })) : null, name.all, fields.map(({ all }) => all), button("begin-now", say("tournament.begin"), send, { class: "primary wide" })];
  }));
}

/** Return the buttons for what can be done now. */
export function actions(held) {
  const last = held.rounds.at(-1);
  const open = last && !last.is_closed ? last : null;
  const isNew = open?.tables.every((table) => !table.result);
  const isWhole = open?.tables.every((table) => table.result);
  const seat = (round) => act(() => post(`${BASE}/rounds`, { round }), say("tournament.seated", { n: number(round) }));
  const close = () => act(() => post(`${BASE}/rounds/${open.round}/close`));
  const anew = () => confirmSheet(say("tournament.seat_anew"), say("tournament.seat_anew_text"), say("tournament.seat_anew"), () => seat(open.round));
  return h("div", { class: "choices" },
    button("players", say("tournament.its_players"), () => players(held)),
    open ? null : button("seat", say("tournament.seat", { n: number(held.rounds.length + 1) }), () => seat(held.rounds.length + 1), { class: "primary" }),
    isNew ? button("seat-anew", say("tournament.seat_anew"), anew) : null,
    open && !isWhole ? [button("take", say("tournament.take"), () => take(open), { class: "primary" }), button("swap", say("tournament.swap"), () => swap(held, open))] : null,
    isWhole ? button("close", say("tournament.close", { n: number(open.round) }), close, { class: "primary" }) : null);
}

async function take(round) {
  const answer = await act(() => post(`${BASE}/rounds/${round.round}/results`));
  if (!answer) return;
  toast(sayCount("tournament.taken", answer.taken.length));
  if (answer.missing.length) openSheet(say("tournament.missing"), () => [h("ul", {}, answer.missing.map((one) => h("li", {}, one.why))), h("p", { class: "soft" }, say("tournament.missing_text"))]);
}

function swap(held, round) {
  openSheet(say("tournament.swap"), (sheet) => {
    const seats = [...round.tables.flatMap((table) => table.players), ...round.byes].map((id) => [id, nameIn(held, id)]);
    const [one, other] = ["tournament.swap_one", "tournament.swap_with"].map((key, i) => choice(`swap-${i}`, say(key), seats, seats[i]?.[0]));
    const send = async () => (await act(() => post(`${BASE}/rounds/${round.round}/swap`, { one: one.input.value, other: other.input.value }))) && sheet.close();
    return [one.all, other.all, button("swap-now", say("tournament.swap"), send, { class: "primary wide" })];
  });
}

function players(held) {
  openSheet(say("tournament.its_players"), (sheet) => {
    const lines = field("tournament-lines", say("tournament.lines"), h("textarea", { rows: 5, spellcheck: "false" }));
    const add = async () => (await act(() => post(`${BASE}/players`, { lines: lines.input.value }), say("tournament.added"))) && sheet.close();
    return [lines.all, button("add", say("tournament.add"), add, { class: "primary wide" }),
      h("ul", { class: "plain" }, held.players.map((one) => h("li", {}, button(`player-${one.id}`, [one.name, one.club, one.is_present ? "" : say("tournament.gone")].filter(Boolean).join(" · "), () => (sheet.close(), player(one)), { class: "wide" }))))];
  });
}

function player(one) {
  openSheet(one.name, (sheet) => {
    const name = field("player-name", say("tournament.name"), h("input", { maxlength: 80, autocomplete: "off", value: one.name }));
    const club = field("player-club", say("tournament.club"), h("input", { maxlength: 80, autocomplete: "off", value: one.club }));
    const change = async (body) => (await act(() => patch(`${BASE}/players/${one.id}`, body))) && sheet.close();
    return [name.all, club.all,
      button("rename", say("tournament.save"), () => change({ name: name.input.value.trim(), club: club.input.value.trim() }), { class: "primary wide" }),
      button("presence", say(one.is_present ? "tournament.drop_out" : "tournament.is_back"), () => change({ is_present: !one.is_present }), { class: "wide" })];
  });
}

/** Return the button by which a table's result is entered, taken or corrected. */
export function resultButton(held, round, table) {
  return button(`result-${table.table}`, say(table.result ? "tournament.correct" : "tournament.enter"), () => openResult(held, round, table), { class: "wide" });
}

function openResult(held, round, table) {
  const where = `${BASE}/rounds/${round.round}/tables/${table.table}`;
  const name = (id) => nameIn(held, id);
  openSheet(say("tournament.table", { n: number(table.table) }), (sheet) => {
    const done = async (call) => (await act(call)) && sheet.close();
    const fields = table.players.map((id) => field(`points-${id}`, name(id), h("input", { type: "number", inputmode: "numeric", step: 1, value: table.result?.points[id] })));
    const winner = choice("winner", say("tournament.winner"), [["", say("tournament.by_points")], ...table.players.map((id) => [id, name(id)])], table.result?.winners[0] ?? "");
    const save = () => {
      const points = Object.fromEntries(table.players.flatMap((id, i) => (fields[i].input.value === "" ? [] : [[id, Number(fields[i].input.value)]])));
      return done(() => put(where, { points, winners: winner.input.value ? [winner.input.value] : [] }));
    };
    return [fields.map(({ all }) => all), winner.all, button("save", say("tournament.save"), save, { class: "primary wide" }),
      fromTable(held, round, table, done),
      table.result && !round.is_closed ? button("withdraw", say("tournament.withdraw"), () => done(() => remove(where)), { class: "wide" }) : null];
  });
}

/** Return where the host says which of the hall's tables played, and who sat in which seat there. */
function fromTable(held, round, table, done) {
  const all = Object.values(now().tables).filter((one) => one.game);
  if (!all.length) return null;
  const seats = h("div", { class: "stack" });
  let sitting = [];
  const showSeats = () => {
    const known = now().tables[from.input.value]?.players ?? [];
    sitting = known.map((one) => [one.seat, choice(`seat-${one.seat}`, one.name, [["", say("tournament.by_name")], ...table.players.map((id) => [id, nameIn(held, id)])], "")]);
    seats.replaceChildren(...sitting.map(([, { all: whole }]) => whole));
  };
  const from = choice("from", say("tournament.from"), [["", "–"], ...all.map((one) => [one.id, one.name])], "");
  from.input.addEventListener("change", showSeats);
  const send = () => {
    const chosen = Object.fromEntries(sitting.map(([seat, { input }]) => [seat, input.value]).filter(([, id]) => id));
    return done(() => post(`${BASE}/rounds/${round.round}/results`, { table: table.table, hall_table: from.input.value, seats: chosen }));
  };
  return h("section", { class: "stack" }, from.all, seats, button("from-now", say("tournament.take_from"), send, { class: "wide" }));
}

function field(id, label, input) {
  input.id = id;
  input.dataset.key = id;
  return { input, all: h("div", {}, h("label", { for: id }, label), input) };
}

function choice(id, label, options, chosen) {
  return field(id, label, h("select", {}, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
}
