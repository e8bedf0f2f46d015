// The set-up of a game: one step at a time, each of which can be gone back to.

import { post } from "../shared/api.js";
import { button, fill, fillAnew, h, setText } from "../shared/dom.js";
import { languageChoice, stayAwake } from "../shared/phone.js";
import { comeInByLink } from "../shared/hosts.js";
import { attempt } from "../shared/sheets.js";
import { number, say } from "../shared/words.js";
import { boardStep, cameraStep } from "./camera_step.js";
import { READY, begin, goOnLooking, inWords, isDone, look, onSetUp, openAnew, steps, theSetUp, waitForGame } from "./choices.js";
import { gameStep, rulesStep } from "./game_step.js";
import { boardInShort, gameInShort, playersInShort, showLeftGame, sourceInShort } from "./parts.js";
import { playersStep } from "./players_step.js";
import { readyStep } from "./ready_step.js";

const at = (id) => document.getElementById(id);
const STEPS = { edition: gameStep, players: playersStep, source: cameraStep, calibration: boardStep, ready: readyStep, rules: rulesStep };
/** What stands behind the # of the address, so that the phone's own Back goes a step back. */
const NAMES = { edition: "game", players: "players", source: "camera", calibration: "board", ready: "ready", rules: "rules" };
let step = null;
let shown = null;
let shownView = null;
let opened = null; // the step that the page opened at
let resumed = null; // the game that somebody chose to go on with on this phone
let isReturning = false; // whether the step was opened from the summary

start();

async function start() {
  await comeInByLink();
  fill(at("own"), languageChoice());
  try {
    await look();
  } catch (error) {
    if (error.status === undefined) throw error;
    return refuse(error);
  }
  document.body.dataset.ready = "yes";
  at("own").append(button("home", say("home.leave"), () => attempt(() => post("/table/home")), { class: "wide quiet" }));
  opened = wanted() ?? first();
  history.replaceState(history.state, "", `#${NAMES[opened]}`); // where Back leads to later
  open(opened);
  onSetUp(told);
  goOnLooking();
  addEventListener("hashchange", () => open(wanted() ?? first()));
  stayAwake();
}

/** Who is not the host waits for the game. */
function refuse(error) {
  shown?.stop?.();
  shown = null;
  openAnew(!isGuest(error));
  for (const id of ["steps", "trouble", "foot"]) at(id).hidden = true;
  fill(at("view"), h("h1", {}, say("set_up.title")), isGuest(error) ? h("p", {}, say("set_up.host_only")) : h("p", { class: "problem" }, inWords(error)));
  document.body.dataset.ready = "no";
}

const isGuest = (error) => error?.status === 401 || error?.status === 403;

/** Return the step that the address names, where it can be opened already. */
function wanted() {
  const found = Object.keys(NAMES).find((one) => `#${NAMES[one]}` === location.hash);
  return found && mayOpen(found) ? found : null;
}

function mayOpen(one) {
  if (one === READY || one === "rules") return isFilled();
  return isDone(one) || one === theSetUp().step;
}

/** Tell whether all was chosen, now or the last time, though the camera may give no picture yet. */
const isFilled = () => isDone("players") && Boolean(theSetUp().source);

/** Return where the page opens: at what differs from the last time, where there was one. */
function first() {
  return isFilled() ? READY : theSetUp().step;
}

function go(next) {
  isReturning = next !== READY && step === READY;
  if (location.hash === `#${NAMES[next]}`) open(next);
  else location.hash = NAMES[next];
}

/** Go on from a step that is done: to the next one, or back to the summary that it was opened from. */
function next() {
  const returning = isReturning;
  if (!isDone(step)) return;
  if (returning && isFilled()) return go(READY);
  go(steps()[steps().indexOf(step) + 1] ?? READY);
}

/** Go on with a game that was left, null for a new one: at once, or as soon as its board is seen. */
async function resume(game) {
  resumed = game;
  if ((await begin("resume", { game })) && !theSetUp().begun) go(isDone("source") ? READY : theSetUp().step);
}

function back() {
  if (step === "rules" || (isReturning && isFilled())) return go(READY);
  go(steps()[steps().indexOf(step) - 1] ?? steps().at(-1));
}

async function open(one) {
  if (shown?.leave && (await shown.leave()) === null) return; // what was typed is not lost
  shown?.stop?.();
  step = one;
  if (one === READY) isReturning = false;
  document.body.dataset.at = NAMES[one];
  const foot = makeFoot();
  const place = h("section", { class: "step-page" });
  fill(at("view"), place);
  shown = STEPS[one](place, { go, next, foot, resume });
  shownView = null;
  told(theSetUp(), null);
  scrollTo(0, 0);
  place.querySelector("h1").focus({ preventScroll: true });
}

/** The buttons in reach of the thumb: back, and on. */
function makeFoot() {
  const isLast = step === READY || step === "calibration";
  const hasNext = isLast || step === "players" || step === "source";
  const onward = async () => (await shown.leave?.()) !== null && (isLast ? begin("begin") : next());
  const forward = button(isLast ? "begin" : "next", say(isLast ? "set_up.begin" : "set_up.next"), onward, { class: "primary", hidden: !hasNext });
  fill(at("foot"), button("back", say("set_up.back"), back, { class: "quiet", hidden: step === "edition" && !isReturning }), forward);
  at("foot").hidden = false;
  return { next: forward };
}

function told(view, error) {
  if (!shown) return;
  if (view.begun) return waitForGame();
  // A phone that slept while the game began finds it here.
  if (error?.status === 404) return location.reload();
  if (isGuest(error)) return refuse(error);
  at("trouble").hidden = !error;
  if (error) setText(at("trouble"), inWords(error));
  if (error) return;
  if (resumed && view.game === resumed && view.may_begin) {
    resumed = null; // once: who then goes back wants to look at something
    return void begin("begin");
  }
  showLeftGame(at("left-game"), step === opened ? view : { ...view, games: [] }, resume);
  if (view === shownView) return;
  shownView = view;
  showProgress(at("steps"), step, go);
  shown.show(view);
}

// The steps in a line: which are done, what was chosen there in a few words, and the way back to each.

const WORDS = { edition: "set_up.game", players: "set_up.players", source: "set_up.camera", calibration: "set_up.board" };
const SHORT = { edition: gameInShort, players: playersInShort, source: sourceInShort, calibration: boardInShort };

/** Show the line; what is not reached yet cannot be tapped. */
function showProgress(place, at, go) {
  const view = theSetUp();
  const shorts = Object.fromEntries(steps().map((step) => [step, isDone(step) || step === view.step ? SHORT[step](view) : ""]));
  fillAnew(place, [view.step, at, shorts], () => h("ol", { class: "steps" }, steps().map((step, i) => {
    const isReached = isDone(step) || step === view.step;
    return h("li", {}, button(`step-${step}`, [
      h("span", { class: "step-number", "aria-hidden": "true" }, isDone(step) ? "✓" : number(i + 1)),
      h("span", { class: "step-name" }, say(WORDS[step]), isDone(step) ? h("span", { class: "unseen" }, say("set_up.is_done")) : null),
      h("span", { class: "step-choice" }, shorts[step]),
    ], () => go(step), { class: isDone(step) ? "step is-done" : "step", "aria-current": step === at ? "step" : null, disabled: !isReached }));
  })));
}
