// The page at the table: everything is put together here.

import { get } from "./api.js";
import { drawBoard } from "./board.js";
import { breathe } from "./dom.js";
import { showEnding } from "./ending.js";
import { showJoining } from "./joining.js";
import { comeIn } from "./join.js";
import { showLatest } from "./log.js";
import { showLastTurns, showPlayers } from "./players.js";
import { showTable } from "./people.js";
import { printSheets } from "./print.js";
import { showQuestions } from "./questions.js";
import { setBoard, watch } from "./state.js";
import { showStatus, showTrouble } from "./status.js";
import { stayAwake } from "./awake.js";
import { openStream } from "./stream.js";
import { startTabs } from "./tabs.js";
import { showTickets } from "./tickets.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const at = (id) => document.getElementById(id);
const AGAIN_MS = 2000;

startTabs();
start();

async function start() {
  const board = await patiently(() => get("/board"));
  setBoard(board);
  await patiently(openStream);
  const parts = [
    () => showStatus(at("status")), () => showTrouble(at("trouble")), () => showPlayers(at("players")), () => showLastTurns(at("last-turns")),
    () => showJoining(at("joining")), () => showQuestions(at("questions"), at("badge")), () => showLatest(at("latest")), () => showEnding(at("ending")),
    () => comeIn(), () => drawBoard(at("board")), () => showTickets(at("tickets")), () => showTable(at("table")), () => printSheets(at("paper")),
  ];
  // The score first; between two parts the browser draws what is there.
  for (const part of parts) {
    part();
    await breathe();
  }
  at("waiting").remove();
  stayAwake();
  watch((state) => [state.game.id], (id, before) => before && location.reload());
  document.body.dataset.ready = "yes";
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
