// The game for a television across the room, or in parts over a stream: it looks on by a guest link and shows itself.

import { get, lookOnBy } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { stayAwake } from "../shared/phone.js";
import { setBoard, watch } from "../shared/state.js";
import { closeStream, onLost, openStream } from "../shared/stream.js";
import { say } from "../shared/words.js";
import { showBoard } from "./board_part.js";
import { showChart, showLast, showPath, showScores, showTurn } from "./parts.js";
import { showCorner, showRest } from "./rest_part.js";
import { showResult } from "./result_part.js";
import { showStatus } from "./status_part.js";

const PARTS = { status: showStatus, turn: showTurn, board: showBoard, scores: showScores, path: showPath, last: showLast, chart: showChart, result: showResult };
const AGAIN_MS = 3000;
const LETTER_PX = 20; // an overlay's, at a scale of 1
const { page, parts, scale, voice } = document.documentElement.dataset;
const place = document.getElementById("parts");
const token = /^#guest=(.+)$/.exec(location.hash)?.[1];

if (scale) document.documentElement.style.fontSize = `${LETTER_PX * Number(scale)}px`;
addEventListener("hashchange", () => location.reload());
start();

async function start() {
  if (token) lookOnBy(decodeURIComponent(token));
  else if (page === "overlay") return tell(say("screen.no_link"));
  for (;;) {
    try {
      if (page === "screen" && (await rested())) return location.reload();
      setBoard(await get("/board"));
      await openStream();
      break;
    } catch (error) {
      if (isRefused(error)) return tell(say("screen.taken_back"));
      tell(error.status === 404 ? say("screen.waiting") : error.message);
      await new Promise((go) => setTimeout(go, AGAIN_MS));
    }
  }
  // A line that is lost may be a link that was taken back.
  onLost((isLost) => isLost && get("/table").then(({ phase }) => phase === "game" || page === "overlay" || location.reload(), (error) => isRefused(error) && (closeStream(), tell(say("screen.taken_back")))));
  const shown = page === "overlay" ? parts.split(" ") : Object.keys(PARTS);
  document.body.classList.remove("rs-told");
  place.replaceChildren(...shown.map((name) => h("section", { class: `rs-part rs-${name}` })));
  for (const [i, name] of shown.entries()) await PARTS[name](place.children[i]);
  watch((state) => [state.game.ended, state.phase], ([ended, phase]) => {
    document.body.classList.toggle("rs-ended", ended);
    document.body.classList.toggle("rs-awaiting", phase === "show_tickets");
    document.body.classList.toggle("rs-uncounted", ended && phase !== "winner");
  });
  watch((state) => [state.game.id], (_, before) => before && location.reload());
  if (page === "screen") showCorner(place).catch(() => {}); // the host lets no screen show the code
  stayAwake();
  if (voice) speak().catch(() => {}); // a screen shows the game all the same
  document.body.dataset.ready = "yes";
}

/** Show the table while no game runs; tell whether it was shown, once one does. */
async function rested() {
  let shown = null;
  for (;;) {
    const { phase } = await get("/table");
    if (phase === "game") break;
    shown ??= await showRest(place);
    await shown(phase);
    document.body.dataset.ready = "yes";
    await new Promise((go) => setTimeout(go, AGAIN_MS));
  }
  return Boolean(shown);
}

/** Call the game; a browser that wants to be touched before it speaks is given a line that says so. */
async function speak() {
  const { speakHere, touchText, whenTouched } = await import("../voice/voice.js");
  await speakHere(voice);
  const text = touchText();
  if (!text) return;
  const line = h("p", { class: "rs-touch", role: "status" }, text);
  document.body.append(line);
  whenTouched(() => line.remove());
}

const isRefused = (error) => error.status === 403;

function tell(text) {
  delete document.body.dataset.ready;
  document.body.classList.add("rs-told");
  place.replaceChildren(h("p", { class: "rs-part rs-message", role: "status" }, text));
}
