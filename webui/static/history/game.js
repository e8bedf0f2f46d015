// One past game: its score, its board at every moment, and how the points grew.

import { address, get } from "../shared/api.js";
import { drawBoard } from "../shared/board.js";
import { car, fill, h } from "../shared/dom.js";
import { pointLines, scoreTable, winnerText } from "../shared/final_score.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { toast } from "../shared/sheets.js";
import { replaceState, setBoard } from "../shared/state.js";
import { number, say } from "../shared/words.js";
import { showChart } from "./chart.js";
import { dayAndTime } from "./dates.js";
import { comeIn, hostButtons } from "./host.js";
import { momentsOf } from "./moments.js";
import { showReplay } from "./replay.js";

const at = (id) => document.getElementById(id);
const id = location.pathname.split("/").at(-1);

start();

async function start() {
  try {
    await comeIn();
    const [told, board, course] = await Promise.all([get(`/games/${id}`), get(`/games/${id}/board`), get(`/games/${id}/moments`)]);
    await show(told, board, momentsOf(course));
  } catch (error) {
    if (error.status === undefined) throw error;
    at("about").textContent = error.status === 404 ? say("history.no_such") : error.message;
    toast(at("about").textContent, { isTrouble: true });
  }
  document.body.dataset.ready = "yes";
}

async function show({ game, players, tie_break: tieBreak }, board, moments) {
  const name = game.name || game.title;
  setBoard(board);
  const put = (i) => replaceState({
    game: { ...game, tie_break: tieBreak, is_past: true },
    players: players.map((player) => ({ ...player, points: 0, longest_path: 0, path_routes: [], ...moments[i].players[player.seat] })),
    spots: moments[i].spots,
    questions: [],
    log: moments,
  });
  put(moments.length - 1);
  document.title = say("history.page_title", { name });
  at("title").textContent = name;
  at("about").textContent = say(game.ended ? "history.about" : "history.about_unfinished", { edition: game.title, at: dayAndTime(game.started_at_s) });
  at("game").hidden = false;
  const winner = game.ended ? winnerText(players) : null;
  at("score-title").textContent = winner?.title ?? say("history.so_far");
  fill(at("score"), winner ? h("p", {}, winner.reason) : null, scoreTable(players), h("p", { class: "soft" }, say("history.shown_only")), h("h3", {}, say("ending.lines")), ranked(players).map(everyPoint));
  const chart = showChart(at("chart"), players, moments);
  const replay = showReplay(at("replay"), moments, (i) => (put(i), chart.mark(i)));
  chart.onPick((i) => replay.go(i));
  fill(at("files"), ["jsonl", "csv", "game"].map((format) => h("a", { class: "button", href: address(`/games/${id}/export/${format}`), download: "" }, say(FILES[format]))), hostButtons(id, name));
  await drawBoard(at("board"));
}

function ranked(players) {
  return [...players].sort((a, b) => Number(b.is_winner) - Number(a.is_winner) || b.points - a.points);
}

const FILES = { jsonl: "files.json", csv: "files.csv", game: "files.game" };

function everyPoint(player) {
  return h("details", { "data-seat": player.seat }, h("summary", {}, car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("span", { class: "sum" }, number(player.points))), pointLines(player));
}
