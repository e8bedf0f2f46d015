// One past game: its score, its board at every moment, and how the points grew.

import { address, get, put as send } from "../shared/api.js";
import { drawBoard } from "../shared/board.js";
import { lineChart } from "../shared/charts.js";
import { momentsOf } from "../shared/course.js";
import { button, car, fill, h, icon } from "../shared/dom.js";
import { pointLines, problemText, scoreTable, turnTime, winnerText, winnersFirst } from "../shared/final_score.js";
import { colourOfFact, eventText, lossText } from "../shared/log_words.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { playLinks } from "../shared/plays.js";
import { pointBars } from "../shared/point_bars.js";
import { attempt, toast } from "../shared/sheets.js";
import { me, now, replaceState, setBoard } from "../shared/state.js";
import { clock, dayAndTime, number, say } from "../shared/words.js";
import { comeIn, hostButtons } from "./host.js";

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

async function show({ game, players, problems, counts }, board, moments) {
  const name = game.name || game.title;
  setBoard(board);
  const put = (i) => replaceState({
    game: { ...game, is_past: true },
    players: players.map((player) => ({ ...player, points: 0, longest_path: 0, longest_path_at_most: 0, path_routes: [], ...moments[i].players[player.seat] })),
    spots: moments[i].spots,
    problems,
    questions: [],
    log: moments,
  });
  put(moments.length - 1);
  document.title = say("history.page_title", { name });
  at("title").textContent = name;
  at("about").textContent = say(game.ended ? "history.about" : "history.about_unfinished", { edition: game.title, at: dayAndTime(game.started_at_s) });
  at("game").hidden = false;
  fill(at("counts"), countsSwitch(counts));
  const winner = game.ended ? winnerText(players) : null;
  at("score-title").textContent = winner?.title ?? say("history.so_far");
  const said = winner ? winner.reason : problemText();
  const loss = lossText(game);
  fill(at("score"), loss ? h("p", { class: "problem" }, loss) : null, said ? h("p", {}, said) : null, scoreTable(players), h("p", { class: "soft" }, say("history.shown_only")), h("h3", {}, say("ending.lines")), winnersFirst(players).map(everyPoint));
  const charts = ["points", "trains", "path"].map((kind) => lineChart(at(`chart-${kind}`), kind, players, moments));
  pointBars(at("chart-bars")).update(players);
  const replay = showReplay(at("replay"), moments, (i) => (put(i), charts.forEach((chart) => chart.mark(i))));
  for (const chart of charts) chart.onPick((i) => replay.go(i));
  fill(at("files"), ["jsonl", "csv", "game"].map((format) => h("a", { class: "button", href: address(`/games/${id}/export/${format}`), download: "" }, say(FILES[format]))), playLinks(`/games/${id}`, game.ended), hostButtons(id, name, game.ended));
  await drawBoard(at("board"));
}

/** Return whether the game counts: a switch for the host, a word for others where it does not. */
function countsSwitch(counts) {
  if (!me().is_host) return counts ? null : h("span", { class: "tag" }, say("tag.counts_not"));
  const put = async () => (await attempt(() => send(`/games/${id}/counts`, { counts: box.checked }), say(box.checked ? "log.counts" : "log.counts_not"))) || (box.checked = !box.checked);
  const box = h("input", { type: "checkbox", role: "switch", id: "it-counts", "data-key": "it-counts", on: { change: put } });
  box.checked = counts;
  return h("label", { class: "switch card", for: "it-counts" }, h("span", {}, h("strong", {}, say("history.counts")), h("span", { class: "soft" }, say("history.counts_text"))), box);
}

// On paper every point is shown, as if each player's lines had been opened.
addEventListener("beforeprint", () => at("score").querySelectorAll("details").forEach((lines) => { lines.open = true; }));

const FILES = { jsonl: "files.json", csv: "files.csv", game: "files.game" };

function everyPoint(player) {
  return h("details", { "data-seat": player.seat }, h("summary", {}, car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("span", { class: "sum" }, number(player.points))), pointLines(player), turnTime(player));
}

// A game once more: a slider over everything that happened, and a button that plays it.

const STEP_MS = 700;

/** Show the slider, at the end of the game; `show(i)` shows the board after event i. */
function showReplay(place, moments, show) {
  const last = moments.length - 1;
  let timer = null;
  const what = h("p", { class: "replay-what" });
  const scores = h("ul", { class: "replay-scores plain" });
  const slider = h("input", { type: "range", class: "replay-slider", min: 0, max: last, value: last, "data-key": "slider", "aria-label": say("history.slider"), on: { input: () => (stop(), put(Number(slider.value))) } });
  const playing = button("play", null, () => (timer ? stop() : play()), { class: "primary" });
  const step = (key, sign, name, by) => button(key, sign, () => (stop(), go(Number(slider.value) + by)), { "aria-label": name });
  const steps = [step("back", "‹", say("history.step_back"), -1), step("on", "›", say("history.step_on"), 1)];

  function put(i) {
    show(i);
    const text = eventText(moments[i]);
    const at = clock(moments[i].at_s);
    const colour = colourOfFact(moments[i].fact);
    slider.setAttribute("aria-valuetext", say("history.moment", { n: number(i + 1), of: number(moments.length), what: text, at }));
    fill(what, colour ? car(paintOf(colour)) : null, h("span", {}, text), h("span", { class: "soft" }, at));
    fill(scores, now().players.map((player) => h("li", { class: "chip", "data-seat": player.seat }, car(paintOf(player.colour)), h("span", {}, nameOf(player)), h("strong", { class: "sum" }, number(player.points)))));
  }

  function go(i) {
    slider.value = Math.min(last, Math.max(0, i));
    put(Number(slider.value));
  }

  function play() {
    if (Number(slider.value) === last) go(0);
    timer = setInterval(() => {
      go(Number(slider.value) + 1);
      if (Number(slider.value) === last) stop();
    }, STEP_MS);
    label();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    label();
  }

  function label() {
    fill(playing, icon(timer ? "pause" : "play"), timer ? say("history.pause") : say("history.play"));
  }

  label();
  fill(place, what, slider, h("div", { class: "replay-buttons" }, playing, steps), scores);
  put(last);
  return { go: (i) => (stop(), go(i)) };
}
