// Where the board is: how it was found or why not, what is wrong with the picture, and what a person says of it.

import { address, get, post, put } from "../shared/api.js";
import { cornerRings } from "../shared/corner_rings.js";
import { button, fill, h, setText } from "../shared/dom.js";
import { say, sentence } from "../shared/words.js";
import { act, watchDesk } from "./desk.js";
import { askToKeep, details, findingsList, statusLine } from "./facts.js";
import { editNudges } from "./nudging.js";
import { makeStage, roomAround } from "./stage.js";

/**
 * Show it in a place of the page. `onChange(view)` hears what is new; `hasGame` says that one is running,
 * whose reading can be drawn over the picture. `stop()` of what this returns ends it.
 */
export function showCalibration(view, { onChange = () => {}, hasGame = false } = {}) {
  const status = statusLine();
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const picture = h("div", { class: "calibration-picture" });
  const tools = h("div", { class: "calibration-tools" });
  const notes = h("div", { class: "calibration-notes" });
  const layers = { spaces: false, reading: hasGame, corners: true };
  let stage = null;
  let mode = null; // what a person does: nothing, corners or nudges
  let last = null;
  let outlined = ""; // for which the outlines on the stage are
  let isAsking = false;

  fill(view, h("div", { class: "calibration" }, status.line, problem, picture, tools, notes));
  const desk = watchDesk(told, refused);

  function told(next) {
    const isNew = next.number !== last?.number;
    last = next;
    status.show(next);
    const trouble = sentence(next.problem);
    setText(problem, trouble);
    problem.hidden = !trouble;
    if (!mode) showLive();
    else mode.told?.(next);
    if (!isNew) return;
    fill(notes, findingsList(next), details(next));
    onChange(next);
  }

  function refused(error) {
    last = null;
    status.fail(error.status === 401 || error.status === 403 ? say("calibration.host_only") : sentence(error.body?.error?.message?.replace(/\.$/, "") ?? error.message));
    leave();
    stage = null;
    fill(picture);
    fill(tools);
    fill(notes);
  }

  /** Show the newest picture with what was chosen to be drawn over it. */
  function showLive() {
    if (!last) return;
    if (!last.picture) {
      stage = null;
      fill(picture, h("p", { class: "calibration-none" }, say("calibration.no_picture")));
    } else {
      const room = roomAround(last.corners_px, last.picture.size_px);
      if (!stage?.isOf(last.picture.size_px, room)) {
        stage = makeStage(last.picture.size_px, { room });
        outlined = "";
        fill(picture, stage.all);
      }
      stage.show(last, layers);
      drawOutlines();
    }
    drawTools();
  }

  async function drawOutlines() {
    const wanted = layers.spaces || layers.reading;
    if (!wanted || !last.corners_px) {
      stage.drawSpaces([], layers, null);
      outlined = "";
      return;
    }
    if (isAsking) return;
    isAsking = true;
    const on = stage;
    try {
      const key = `${last.outlines} ${layers.spaces} ${layers.reading}`;
      const reading = layers.reading ? readingOf(await get("/state")) : null;
      const text = `${key} ${JSON.stringify(reading)}`;
      if (text !== outlined) {
        const { spaces, routes } = await get("/calibration/spaces");
        outlined = text;
        if (on === stage) on.drawSpaces(spaces, layers, reading, routes);
      }
    } catch (error) {
      if (error.status === undefined) throw error; // the next picture tries again
    } finally {
      isAsking = false;
    }
  }

  function toggle(layer) {
    layers[layer] = !layers[layer];
    outlined = "";
    showLive();
  }

  function drawTools() {
    const isFound = last.state === "found";
    const isBusy = last.state === "keeping" || !last.picture;
    const pressed = (layer, word) => button(`show-${layer}`, say(word), () => toggle(layer), { "aria-pressed": String(layers[layer]) });
    const now = [isFound, isBusy, layers.spaces, layers.reading, layers.corners].join();
    if (tools.dataset.now === now) return; // what is under a finger stays
    tools.dataset.now = now;
    fill(tools,
      h("div", { class: "calibration-row", role: "group", "aria-label": say("calibration.show") },
        h("span", { class: "soft", "aria-hidden": "true" }, say("calibration.show")),
        pressed("spaces", "calibration.show_spaces"),
        hasGame ? pressed("reading", "calibration.show_reading") : null,
        pressed("corners", "calibration.show_corners")),
      h("div", { class: "calibration-row" },
        button("look", say("calibration.look"), () => act(() => post("/calibration/look"), told), { disabled: isBusy }),
        button("corners", say("calibration.corners"), () => enter(editCorners), { disabled: isBusy }),
        button("nudge", say("calibration.nudge"), () => enter(editNudges), { disabled: isBusy || !isFound }),
        button("keep", say("calibration.keep"), () => askToKeep(last, told, desk.hold), { disabled: isBusy || !isFound })));
  }

  /** Let a person do something on the picture that is shown, which is kept for it. */
  function enter(edit) {
    desk.hold(last.picture.number);
    delete tools.dataset.now;
    stage = null;
    mode = edit({ view: last, picture, tools, hasGame, told, leave, hold: desk.hold });
    notes.hidden = true;
    picture.scrollIntoView({ block: "nearest" });
  }

  function leave() {
    if (!mode) return;
    mode.stop?.();
    mode = null;
    desk.hold(null);
    delete tools.dataset.now;
    notes.hidden = false;
    showLive();
    tools.querySelector("button")?.focus({ preventScroll: true });
  }

  return {
    stop() {
      mode?.stop?.();
      desk.stop();
    },
  };
}

// A person shows where the board's corners are in the picture.

const NAMES = ["calibration.corner_tl", "calibration.corner_tr", "calibration.corner_br", "calibration.corner_bl"];

/** Let the corners be moved on the picture that was shown; once they are set, the profile is made of it. */
function editCorners({ view, picture, tools, told, leave }) {
  const { number, size_px } = view.picture;
  const rings = cornerRings({
    href: address(`/calibration/picture.jpg?number=${number}`),
    size: size_px,
    corners: view.corners_px ?? [],
    names: NAMES.map((name) => say(name)),
    label: say("calibration.corners_label"),
  });
  const edge = h("input", { type: "checkbox", id: "corners-edge", "data-key": "corners-edge", checked: true });
  const set = async (corners_px) => {
    const next = await act(() => put("/calibration/corners", { corners_px, picture: number, is_exact: !edge.checked }));
    if (!next) return;
    leave();
    told(next);
  };
  fill(picture, rings.all);
  fill(tools, h("p", { class: "soft" }, say("calibration.corners_text")),
    h("label", { class: "check", for: "corners-edge" }, edge, h("span", {}, say("calibration.corners_edge"))),
    h("div", { class: "calibration-row" },
      button("corners-set", say("calibration.corners_set"), () => set(rings.corners), { class: "primary" }),
      button("corners-find", say("calibration.corners_find"), () => set([])),
      button("corners-back", say("calibration.back"), leave)));
  picture.querySelector("[data-corner='0']").focus({ preventScroll: true });
  return {};
}

// What the running game believes to lie on the board, by route.

/** Return the colour of each claimed route or site, and which of them are asked about. */
function readingOf(state) {
  const claims = {};
  for (const [spot, { colour }] of Object.entries(state.spots)) if (colour) claims[idOf(spot)] = colour;
  return { claims, asked: state.questions.map((question) => question.about) };
}

const idOf = (spot) => spot.slice(spot.indexOf(":") + 1);
