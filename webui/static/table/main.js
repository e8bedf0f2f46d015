// The page at the table: everything is put together here, the score first.

import { get } from "../shared/api.js";
import { breathe, dress } from "../shared/dom.js";
import { toast } from "../shared/sheets.js";
import { now, setBoard, watch } from "../shared/state.js";
import { openStream } from "../shared/stream.js";
import { learn, say } from "../shared/words.js";
import { showPlayers } from "./players.js";
import { setting } from "./setting.js";
import { showStatus, showTrouble } from "./status.js";
import { startTabs } from "./tabs.js";
import { showLastTurns, showTurn } from "./turns.js";

const at = (id) => document.getElementById(id);
const AGAIN_MS = 2000;
let isRebuilding = false;

startTabs();
start();

async function start() {
  const asked = patiently(() => get("/board"));
  await patiently(openStream);
  await show([() => showStatus(at("status")), () => showPlayers(at("players")), () => showTrouble(at("trouble")), () => showLastTurns(at("last-turns")), () => showTurn(at("turn"))]);
  at("waiting").remove();
  const [board, questions, problems, log, ending, tickets, people, phone] = await Promise.all([
    import("../shared/board.js"), import("./questions.js"), import("./problems.js"), import("./log.js"), import("./ending.js"),
    import("./tickets.js"), import("./people.js"), import("../shared/phone.js"),
  ]);
  setBoard(await asked);
  await show([
    () => questions.showJoining(at("joining")), () => questions.showQuestions(at("questions"), at("badge")), () => problems.showProblems(at("problems")), () => log.showLatest(at("latest")),
    () => ending.showEnding(at("ending")), () => people.comeIn(), () => people.showInvitation(at("invite")), () => board.drawBoard(at("board")), () => tickets.showTickets(at("tickets")),
    () => people.showTable(at("table")), () => ending.printSheets(at("paper")),
  ]);
  watch((state) => [state.table.rebuilding], (rebuilding) => rebuilding && showRebuilding());
  await dealt();
  if (setting("voice").get()) patiently(async () => (await import("../voice/voice.js")).startVoice());
  phone.stayAwake();
  watch((state) => [state.game.id], (id, before) => before && location.reload());
  document.body.dataset.ready = "yes";
}

/** Few games were packed away: that part is fetched once one goes on. */
async function showRebuilding() {
  if (isRebuilding) return;
  isRebuilding = true;
  const rebuilding = await import("./rebuilding.js");
  rebuilding.showRebuilding(at("rebuilding"));
}

/** A game with cards on phones fetches what it adds, words and styles too; no other game does. */
async function dealt() {
  let isThere = false;
  const fetchIt = async () => {
    isThere = true;
    const [{ showDealtGame }] = await Promise.all([
      import("../dealt/main.js"), patiently(() => learn("/words/dealt")), dress("shared/train_cards.css"), dress("dealt/dealt.css"),
    ]);
    showDealtGame();
  };
  if (now().cards) await fetchIt();
  watch((state) => [state.cards], (cards) => cards && !isThere && fetchIt());
}

/** Between two parts the browser draws what is there. */
async function show(parts) {
  for (const part of parts) {
    part();
    await breathe();
  }
}

/** A page that was opened before its server ran waits for it. */
async function patiently(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      toast(error.message || say("error.lost"), { isTrouble: true });
      await new Promise((go) => setTimeout(go, AGAIN_MS));
    }
  }
}
