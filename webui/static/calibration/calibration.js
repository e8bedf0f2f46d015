// Where the board is: how it was found or why not, what is wrong with the picture, and what a person says of it.

import { get, post } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { said } from "../shared/said.js";
import { say } from "../shared/words.js";
import { editCorners } from "./corners.js";
import { watchDesk } from "./desk.js";
import { askToKeep, details, findingsList, statusLine } from "./facts.js";
import { editNudges } from "./nudging.js";
import { readingOf } from "./reading.js";
import { makeStage } from "./stage.js";
import { act, button, sentence } from "./tell.js";

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
    const trouble = sentence(said(next.problem));
    if (problem.textContent !== trouble) problem.textContent = trouble;
    problem.hidden = !trouble;
    if (!mode) showLive();
    else mode.told?.(next);
    if (!isNew) return;
    fill(notes, findingsList(next), details(next));
    onChange(next);
  }

  function refused(error) {
    last = null;
    status.fail(error.status === 401 || error.status === 403 ? say("calibration.host_only") : sentence(said(error.body?.error?.message?.replace(/\.$/, "")) ?? error.message));
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
      if (!stage?.isOf(last.picture.size_px)) {
        stage = makeStage(last.picture.size_px);
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
        button("keep", say("calibration.keep"), () => askToKeep(last, told), { disabled: isBusy || !isFound })));
  }

  /** Let a person do something on the picture that is shown, which is kept for it. */
  function enter(edit) {
    desk.hold(last.picture.number);
    delete tools.dataset.now;
    stage = null;
    mode = edit({ view: last, picture, tools, hasGame, told, leave });
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
