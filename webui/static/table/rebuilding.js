// A game that was packed away goes on: what is still to be laid, in a list that shrinks and on the board as it lay.

import { address, post } from "../shared/api.js";
import { button, car, fill, h, s } from "../shared/dom.js";
import { spotName, spotParts, who } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { announce, attempt, openSheet } from "../shared/sheets.js";
import { mayChange, theBoard, watch } from "../shared/state.js";
import { say, sayCount } from "../shared/words.js";
import { outlines } from "./spot_picture.js";

const KINDS = ["lane", "colour", "extra", "missing", "check"];

/** Show what is to be mended until the board lies as it was; a board that does from the start shows nothing. */
export function showRebuilding(place) {
  let said = null;
  watch((state, you) => [state.table.rebuilding, state.table.hindrance, state.players, you.role], ([rebuilding, hindrance]) => {
    const found = rebuilding ? KINDS.flatMap((kind) => (rebuilding[kind] ?? []).map((one) => ({ ...one, kind }))) : [];
    const left = found.filter((one) => one.kind !== "check").length;
    const isShown = Boolean(rebuilding) && (left > 0 || Boolean(hindrance && !rebuilding.is_read));
    place.hidden = !isShown;
    fill(place, isShown ? card(found, left, rebuilding) : null);
    if (isShown && said !== left) announce(title(left));
    if (!isShown && said) announce(say("rebuilding.done"));
    said = isShown ? left : null;
  });
}

const title = (left) => (left ? sayCount("rebuilding.left", left) : say("rebuilding.title"));

function card(found, left, { picture }) {
  return h("section", { class: "card rebuilding", "aria-labelledby": "rebuilding-title" },
    h("h2", { id: "rebuilding-title" }, say("rebuilding.title")),
    h("p", {}, left ? sayCount("rebuilding.left", left) : say("rebuilding.looking")),
    boardButton(found, picture),
    h("ul", { class: "plain" }, found.map(line)),
    mayChange() ? [
      h("p", { class: "soft" }, say("rebuilding.text")),
      button("rebuilt", say("rebuilding.yes"), () => attempt(() => post("/rebuilt"), say("rebuilding.said")), { class: "wide" }),
    ] : h("p", { class: "soft" }, say("rebuilding.guest")));
}

/** Return one thing to do: whose piece it is, where, and what a hand does there. */
function line(one) {
  const colour = one.colour ?? one.seen;
  return h("li", { class: "line", "data-spot": one.spot }, colour ? car(paintOf(colour)) : h("span", { class: "no-car", "aria-hidden": "true" }),
    h("span", { class: "rebuilding-what" }, h("strong", {}, spotName(one.spot)), h("span", { class: "soft" }, WORDS[one.kind](one))));
}

const WORDS = {
  missing: ({ spot, colour, spaces }) => (spot.startsWith("station:") ? say("rebuilding.station", { who: who(colour) }) : sayCount("rebuilding.missing", spaces, { who: who(colour) })),
  extra: ({ seen }) => say("rebuilding.extra", { who: who(seen) }),
  colour: ({ colour, seen }) => say("rebuilding.colour", { who: who(colour), other: who(seen) }),
  lane: ({ colour, lies_on: lane }) => say("rebuilding.lane", { who: who(colour), other: spotName(lane) }),
  check: ({ colour }) => (colour ? say("rebuilding.check", { who: who(colour) }) : say("rebuilding.check_free")),
};

/** Return the board as it lay, with what is to be mended outlined; a tap enlarges it. */
function boardButton(found, picture) {
  const alt = say("rebuilding.picture");
  const open = () => openSheet(alt, () => figure(found, picture, alt), { name: "tall" });
  return button("rebuilding-picture", figure(found, picture, alt), open, { class: "spot-picture" });
}

function figure(found, picture, alt) {
  const [width, height] = theBoard().size_mm;
  const shown = h("span", { class: "spot-figure" },
    picture ? h("img", { src: address(picture), alt }) : null,
    s("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, found.map((one) => {
      const [kind, about] = spotParts(one.spot);
      return s("g", { class: `mend mend-${one.kind}`, color: paintOf(one.colour ?? one.seen).paint }, outlines({ kind, about }));
    })));
  shown.style.setProperty("--shape", String(width / height));
  return shown;
}
