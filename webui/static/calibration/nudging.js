// A person moves a route, or one space of it, over the picture: by dragging, by arrows, by buttons.

import { button, fill, h, setText } from "../shared/dom.js";
import { confirmSheet } from "../shared/sheets.js";
import { number as inWords, say } from "../shared/words.js";
import { askToKeep } from "./facts.js";
import { nudgesIn } from "./nudges.js";
import { makeStage, middleOf, routeText } from "./stage.js";

const STEP_MM = 0.5;
const FAST = 10;
const NEAR_PX = 28; // of the screen: about a finger's tip
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const BUTTONS = [["ArrowLeft", "←", "calibration.left"], ["ArrowUp", "↑", "calibration.up"], ["ArrowDown", "↓", "calibration.down"], ["ArrowRight", "→", "calibration.right"]];

/** Let routes be moved on the picture that was shown; each move is saved at once. */
export function editNudges({ view, picture, tools, hasGame, told, leave }) {
  if (!view.profile || view.profile.is_drawn) return askForPhoto({ view, tools, told, leave });
  const stage = makeStage(view.picture.size_px, { onTap: tapped });
  const nudges = nudgesIn(view.picture.number, { onChange: draw, told });
  let chosen = null; // {route, space}
  let isSingle = false;
  let drag = null;

  const which = h("select", { id: "nudge-route", "data-key": "nudge-route", on: { change: () => choose(which.value ? { route: which.value, space: 0 } : null, { isNear: true }) } });
  const single = h("input", { type: "checkbox", id: "nudge-single", "data-key": "nudge-single", on: { change: () => ((isSingle = single.checked), draw()) } });
  const far = h("p", { class: "calibration-far", role: "status" });
  const pad = h("div", { class: "calibration-pad", role: "group", "aria-label": say("calibration.move") },
    BUTTONS.map(([key, sign, name]) => button(key, sign, (event) => step(key, event.shiftKey), { "aria-label": say(name) })));
  const undo = button("nudge-undo", say("undo.button"), () => nudges.undo());
  const back = button("nudge-back", say("calibration.take_back"), () => nudges.takeBack(keyOf()));
  const all = button("nudge-all", say("calibration.take_all"), () =>
    confirmSheet(say("calibration.take_all"), say("calibration.take_all_text"), say("calibration.take_all"), () => nudges.takeBack(null)));

  stage.load(view.picture.number);
  fill(picture, stage.all);
  // What is pressed again and again stands next to the picture, which is to be seen meanwhile.
  fill(tools, pad, far,
    h("div", { class: "calibration-row" },
      h("div", { class: "calibration-field" }, h("label", { for: "nudge-route" }, say("calibration.which")), which),
      h("label", { class: "check", for: "nudge-single" }, single, h("span", {}, say("calibration.single")))),
    h("div", { class: "calibration-row" }, undo, back, all, button("nudge-done", say("calibration.done"), done, { class: "primary" })),
    h("p", { class: "soft" }, say("calibration.nudge_text")),
    hasGame ? h("p", { class: "soft" }, say("calibration.nudge_game")) : null);
  stage.svg.addEventListener("keydown", keyed, { capture: true });
  pad.addEventListener("keydown", keyed);
  stage.svg.addEventListener("pointerdown", taken, { capture: true });
  stage.svg.addEventListener("pointermove", dragged, { capture: true });
  stage.svg.addEventListener("pointerup", dropped, { capture: true });
  stage.svg.addEventListener("pointercancel", () => (drag = null));
  nudges.load().then(() => which.focus({ preventScroll: true }));

  function keyOf() {
    if (!chosen) return null;
    return isSingle ? `${chosen.route}#${chosen.space}` : chosen.route;
  }

  function choose(next, { isNear = false } = {}) {
    chosen = next;
    draw();
    which.value = next?.route ?? "";
    if (!next || !isNear) return;
    stage.zoom.show(nudges.spaces().filter((space) => space.route === next.route).flatMap(outlineOf));
  }

  const isMoved = (space) => chosen && space.route === chosen.route && (!isSingle || space.key === keyOf());

  /** Return the outline of a space where it is to be drawn now. */
  function outlineOf(space) {
    let [x, y] = nudges.ahead(space);
    if (drag && isMoved(space)) [x, y] = [x + drag.by[0], y + drag.by[1]];
    const px = space.dx_px[0] * x + space.dy_px[0] * y;
    const py = space.dx_px[1] * x + space.dy_px[1] * y;
    return space.outline_px.map(([u, v]) => [u + px, v + py]);
  }

  function draw() {
    const list = nudges.spaces();
    fill(stage.own, list.map((space) => stage.polygon(outlineOf(space), { class: `stage-space${space.is_nudged ? " is-nudged" : ""}${isMoved(space) ? " is-chosen" : ""}`, "data-space": space.key })));
    if (!which.options.length && nudges.routes().length) {
      const named = nudges.routes().map((route) => [routeText(route), route.id]).sort(([one], [other]) => one.localeCompare(other));
      fill(which, h("option", { value: "" }, say("calibration.none")), named.map(([text, id]) => h("option", { value: id }, text)));
    }
    for (const one of [...pad.children, back]) one.disabled = !chosen;
    undo.disabled = !nudges.canUndo();
    all.disabled = !nudges.count();
    const [x, y] = chosen ? nudges.of(keyOf()) : [0, 0];
    back.disabled ||= !x && !y;
    setText(far, chosen ? say("calibration.far", { x: inWords(tenth(x)), y: inWords(tenth(y)) }) : "");
  }

  /** Choose the route whose space is nearest to where it was tapped. */
  function tapped(x, y, scale) {
    const near = nearest(x, y, nudges.spaces());
    if (!near || near.far > NEAR_PX * scale) return choose(null);
    const [route, space] = near.space.key.split("#");
    return choose({ route, space: Number(space) });
  }

  function nearest(x, y, list) {
    let best = null;
    for (const space of list) {
      const outline = outlineOf(space);
      const [u, v] = middleOf(outline);
      // A space is long: its ends are as near as its middle.
      const ends = [[u, v], middleOf(outline.slice(0, 2)), middleOf(outline.slice(2))];
      const distance = Math.min(...ends.map(([a, b]) => Math.hypot(a - x, b - y)));
      if (!best || distance < best.far) best = { space, far: distance };
    }
    return best;
  }

  function step(key, isFast) {
    if (!chosen) return;
    const by = STEP_MM * (isFast ? FAST : 1);
    nudges.move(keyOf(), WAYS[key].map((way) => way * by));
  }

  function keyed(event) {
    if (!(event.key in WAYS) || !chosen) return;
    event.preventDefault();
    event.stopPropagation(); // the picture would be moved
    step(event.key, event.shiftKey);
  }

  function taken(event) {
    if (!chosen || event.button) return;
    const { x, y } = stage.at(event);
    const near = nearest(x, y, nudges.spaces().filter(isMoved));
    if (!near || near.far > NEAR_PX * stage.scale()) return;
    const another = nearest(x, y, nudges.spaces());
    if (!isMoved(another.space) && another.far < near.far / 2) return; // that one is meant
    event.stopPropagation();
    stage.svg.setPointerCapture(event.pointerId);
    drag = { from: [x, y], space: near.space, by: [0, 0], id: event.pointerId };
  }

  function dragged(event) {
    if (!drag || event.pointerId !== drag.id) return;
    event.stopPropagation();
    const { x, y } = stage.at(event);
    drag.by = inMm(drag.space, x - drag.from[0], y - drag.from[1]);
    draw();
  }

  function dropped(event) {
    if (!drag || event.pointerId !== drag.id) return;
    event.stopPropagation();
    const { by, from } = drag;
    drag = null;
    if (by[0] || by[1]) nudges.move(keyOf(), by, { isDone: true });
    else tapped(...from, stage.scale()); // another space of the same route, say
  }

  async function done() {
    await nudges.flush();
    leave();
  }
  draw();
  return { stop: () => nudges.flush() };
}

/** Return what so many pixels are in steps of half a millimetre, there on the board. */
function inMm({ dx_px: [a, c], dy_px: [b, d] }, px, py) {
  const size = a * d - b * c;
  const mm = [(d * px - b * py) / size, (a * py - c * px) / size];
  return mm.map((side) => Math.round(side / STEP_MM) * STEP_MM);
}

const tenth = (mm) => Math.round(mm * 10) / 10;

/** What is moved is moved on the person's own copy: its photo is asked for first. */
function askForPhoto({ view, tools, told, leave, hold }) {
  const keep = () => {
    leave();
    askToKeep(view, told, hold);
  };
  fill(tools, h("p", { class: "problem" }, say("calibration.keep_first")),
    h("div", { class: "calibration-row" }, button("keep-first", say("calibration.keep"), keep, { class: "primary" }), button("nudge-done", say("calibration.back"), leave)));
  tools.querySelector("button").focus({ preventScroll: true });
  return {};
}
