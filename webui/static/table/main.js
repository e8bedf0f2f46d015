// The page at the table: everything is put together here, the score first.

import { get, patiently } from "../shared/api.js";
import { breathe, dress } from "../shared/dom.js";
import { toast } from "../shared/sheets.js";
import { now, setBoard, watch } from "../shared/state.js";
import { openStream } from "../shared/stream.js";
import { learn, say, withWords } from "../shared/words.js";
import { showPlayers } from "./players.js";
import { setting } from "./sounds.js";
import { showStatus, showTrouble } from "./status.js";
import { startTabs, whenFirstShown } from "./tabs.js";
import { showTurn } from "./turns.js";

const at = (id) => document.getElementById(id);

startTabs();
start();

async function start() {
  const asked = untilDone(() => get("/board"));
  await untilDone(openStream);
  await show([() => showStatus(at("status")), () => showPlayers(at("players")), () => showTrouble(at("trouble")), () => showTurn(at("turn"))]);
  at("waiting").remove();
  const [board, log, tickets, people, phone, phases] = await Promise.all([
    import("../shared/board.js"), import("./log.js"), import("./tickets.js"), import("./people.js"), import("../shared/phone.js"), import("./phases.js"),
  ]);
  setBoard(await asked);
  await show([
    () => log.showLatest(at("latest")), () => people.watchSeat(), () => people.comeIn(), () => people.askForSeat(), () => people.showInvitation(at("invite")), () => board.drawBoard(at("board")),
    () => tickets.showTickets(at("tickets")), () => phases.followPhases(document.querySelector("main")),
  ]);
  at("ask").addEventListener("click", () => untilDone(showAsk));
  whenFirstShown("table", () => untilDone(showTable));
  await Promise.all([
    once(({ questions, problems, table }) => questions.length || problems.length || table.joining || Object.keys(table.strange).length, showQuestions),
    once(({ table }) => table.rebuilding, showRebuilding),
    once(({ game, cards }) => game.turn_doubt || cards?.unpaid.length, showTurnDoubt),
    once(({ game }) => game.last_turns_by && !game.ended, showLastTurns),
    once(({ game }) => game.ended, showEnding),
    once(({ game }) => game.origin === "photo" && !game.counted, showPhotoSteps),
    once(({ game, spots }) => game.ended || Object.keys(spots).length, showPaper),
  ]);
  await dealt();
  addEventListener("hashchange", people.comeIn);
  if (setting("voice").get()) untilDone(async () => (await withWords("voice", import("../voice/voice.js"))).startVoice());
  watch((state, you) => [you.asking], ([asking]) => asking?.length && untilDone(showAsking));
  phone.stayAwake();
  watch((state) => [state.game.id], (_, before) => before && location.reload());
  document.body.dataset.ready = "yes";
}

/** Fetch a part of the page once the game has something to show in it; resolves when what is needed now is there. */
function once(isNeeded, fetchIt) {
  let fetched = null;
  watch((state) => [Boolean(isNeeded(state))], ([needed]) => needed && (fetched ??= untilDone(fetchIt)));
  return fetched;
}

async function showQuestions() {
  const both = Promise.all([import("./joining.js"), import("./questions.js")]);
  const [joining, questions] = await withWords("questions", both);
  joining.showJoining(at("joining"));
  questions.showStrange(at("strange"));
  questions.showQuestions(at("questions"), at("badge"));
  questions.showProblems(at("problems"));
}

async function showPhotoSteps() {
  const steps = await withWords("photo", import("./photo_steps.js"));
  steps.showPhotoSteps(at("photo-steps"));
}

async function showTurnDoubt() {
  const doubt = await withWords("turn", import("./turn_sheet.js"));
  doubt.showTurnDoubt(at("turn"));
}

async function showRebuilding() {
  const rebuilding = await withWords("rebuilding", import("./rebuilding.js"));
  rebuilding.showRebuilding(at("rebuilding"));
}

async function showLastTurns() {
  const last = await withWords("last_turns", import("./last_turns.js"));
  last.showLastTurns(at("last-turns"), at("all-played"));
}

async function showEnding() {
  // At once: nobody reads the winner beside "count the points", which is on its way.
  document.body.classList.add("has-ended", ...(now().phase === "winner" ? [] : ["is-uncounted"]));
  const [ending] = await Promise.all([withWords("ending", import("./ending.js")), dress("table/ending.css")]);
  ending.showEnding(at("ending"));
}

/** Before the first claim there is nothing to print. */
async function showPaper() {
  const paper = await withWords("paper", import("./paper.js"));
  paper.printSheets(at("paper"));
}

async function showAsk() {
  const ask = await withWords("ask", import("../voice/ask.js"));
  ask.openAsk();
}

/** Few phones are the host's, and fewer are asked whether another one may be. */
async function showAsking() {
  const hosts = await withWords("hosts", import("../shared/hosts.js"));
  hosts.askAboutHosts();
}

async function showTable() {
  const panel = await withWords("panel", import("./table_panel.js"));
  panel.showTable(at("table"));
}

/** A game with cards on phones fetches what it adds, words and styles too; no other game does. */
async function dealt() {
  let isThere = false;
  const fetchIt = async () => {
    isThere = true;
    const [{ showDealtGame }] = await Promise.all([
      import("../dealt/main.js"), untilDone(() => learn("dealt")), dress("shared/train_cards.css"), dress("dealt/dealt.css"),
    ]);
    showDealtGame();
  };
  if (now().cards) await fetchIt();
  watch((state) => [state.cards], ([cards]) => cards && !isThere && fetchIt());
}

/** Between two parts the browser draws what is there. */
async function show(parts) {
  for (const part of parts) {
    part();
    await breathe();
  }
}

/** Wait for a server that does not answer, and say so meanwhile. */
function untilDone(ask) {
  return patiently(ask, (error) => toast(error.status === undefined ? say("error.lost") : error.message, { isTrouble: true }));
}
