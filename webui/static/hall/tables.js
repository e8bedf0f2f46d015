// What is said of a table in few words, and in which order tables stand.

import { nameOf } from "../shared/names.js";
import { clock, day, number, plain, say, sayCount } from "../shared/words.js";

const OVER = ["packed_away", "ended", "counted"];
const byName = new Intl.Collator(document.documentElement.lang, { numeric: true });

export const needsSomebody = (table) => table.is_online && table.help?.length > 0;
export const isOver = (table) => OVER.includes(table.phase);

/** What there is to show, by the filters' names. */
export const FILTERS = {
  all: () => true,
  help: needsSomebody,
  playing: (table) => table.is_online && Boolean(table.game) && !isOver(table),
  over: isOver,
  away: (table) => !table.is_online,
};

/** Return 0 for who needs somebody, 2 for who is not there, 1 for all others: they stand in that order. */
export function rank(table) {
  if (!table.is_online) return 2;
  return needsSomebody(table) ? 0 : 1;
}

/** Compare tables as they stand on the page. */
export function inOrder(one, other) {
  return rank(one) - rank(other) || byName.compare(one.name, other.name) || byName.compare(one.id, other.id);
}

/** Tell whether a table or one who plays there is called so. */
export function isCalled(table, text) {
  const wanted = plain(text).trim();
  return !wanted || [table.name, ...(table.players ?? []).map(nameOf)].some((name) => plain(name).includes(wanted));
}

const REASONS = {
  camera: "hall.help_camera",
  board: "hall.help_board",
  covered: "hall.help_covered",
  joining: "hall.help_joining",
  called: "hall.help_called",
};

/** Return why a table needs somebody, a sentence for each reason. */
export function reasons(table) {
  return (table.help ?? []).map((reason) => {
    if (reason === "question") return sayCount("hall.help_question", table.questions || 1);
    return say(REASONS[reason] ?? "hall.help_other");
  });
}

const PHASES = {
  playing: "hall.phase_playing",
  paused: "hall.phase_paused",
  packed_away: "hall.phase_packed_away",
  ended: "hall.phase_ended",
  counted: "hall.phase_counted",
};

/** Return in a word or two how far a table is. */
export function phaseText(table) {
  if (!table.is_online) return table.away_since_s ? say("hall.away_since", { time: when(table.away_since_s) }) : say("hall.away");
  if (!table.game) return say("hall.phase_none");
  if (table.phase === "playing" && table.last_turns_by) return say("hall.phase_last_turns");
  return say(PHASES[table.phase] ?? "hall.phase_playing");
}

/** Return the time of a moment, and its day where that is another one. */
export function when(atS) {
  const isToday = day(atS) === day(Date.now() / 1000);
  return isToday ? clock(atS) : `${day(atS)}, ${clock(atS)}`;
}

/** Return how long a game has lasted; it stands still once that is over or its table gone. */
export function lengthText(table) {
  const isRunning = table.is_online && !isOver(table);
  const endS = isRunning ? Date.now() / 1000 : table.at_s;
  return say("hall.minutes", { n: number(Math.max(0, Math.floor((endS - table.started_at_s) / 60))) });
}

/** Return who has the longest path so far, and how long it is; the empty text where nobody has one. */
export function longestText(table) {
  const most = Math.max(0, ...table.players.map((player) => player.longest_path));
  if (!most) return "";
  const names = table.players.filter((player) => player.longest_path === most).map(nameOf);
  return say("hall.longest", { names: names.join(", "), n: number(most) });
}

/** Return the newest claim that stands; the empty text where there is none. */
export function lastClaimText(table) {
  const { last_claim: claim } = table;
  if (!claim) return "";
  const player = table.players.find((one) => one.seat === claim.seat);
  return player ? say("hall.last_claim", { who: nameOf(player), what: claim.what }) : say("hall.last_claim_free", { what: claim.what });
}
