// The page of The Card Game: everything is put together here.

import { becomeHost, toast } from "../shared/sheets.js";
import { say } from "../shared/words.js";
import { loadDeck } from "./deck.js";
import { attempt } from "./faults.js";
import { forgetGame, keepGame, openGame, theGame } from "./game.js";
import { showGame } from "./game_view.js";
import { showHome } from "./home.js";

const LINK = /^#game=([0-9a-f]{32})$/;
const view = document.getElementById("view");

start();

async function start() {
  addEventListener("hashchange", () => location.reload());
  await becomeHost();
  await attempt(loadDeck);
  const id = LINK.exec(location.hash)?.[1];
  if (!id || !(await shown(id))) await showHome(view, open);
  document.body.dataset.ready = "yes";
}

/** Open a game; its link stands in the address, so that a reload finds it. */
function open(id) {
  location.hash = `game=${id}`;
}

async function shown(id) {
  try {
    await openGame(id, () => showGame(view));
  } catch (error) {
    if (error.status === undefined) throw error;
    if (error.status === 404) forgetGame(id);
    toast(error.status === 404 ? say("cards.gone") : error.message, { isTrouble: true });
    return false;
  }
  keepGame(id, theGame().game.players.map((player) => player.name || player.colour));
  return true;
}
