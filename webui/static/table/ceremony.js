// Counting the points together: routes, then ticket by ticket, then bonuses. All phones are at the same step; skipping is this phone's.

import { button, car, fill, h, s } from "../shared/dom.js";
import { countAgain, countedAt, inOrderOf } from "../shared/counting.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { openSheet } from "../shared/sheets.js";
import { now, theBoard } from "../shared/state.js";
import { number, say, signed } from "../shared/words.js";
import { countTo, glide, isStill } from "./motion.js";
import { play } from "./sounds.js";

const CONFETTI = 48;

/** Open the ceremony, `show(n)` of which shows a step; `onClose` is called when it is over or left. */
export function openCeremony(onClose) {
  const sheet = openSheet(say("ceremony.title"), () => [], { name: "ceremony", onClose });
  const rows = new Map(now().players.map((player) => [player.seat, makeRow(player)]));
  const map = h("div", { class: "ceremony-map" });
  const words = h("p", { class: "ceremony-words", role: "status" });
  const list = h("ol", { class: "ceremony-rows" }, [...rows.values()].map((row) => row.item));
  fill(sheet.dialog.querySelector(".sheet-body"), map, words, list, button("skip", say("ceremony.skip"), sheet.close, { class: "wide quiet" }));
  let last = null;
  const show = (n) => {
    if (n === last) return;
    const { totals, gained, player, line, words: text, routes } = countedAt(n);
    words.textContent = text;
    fill(map, smallMap(routes));
    for (const [seat, { item, points, line: place }] of rows) {
      item.classList.toggle("is-counting", seat === player?.seat);
      const sum = seat === player?.seat ? line.points : gained.get(seat);
      fill(place, sum === undefined ? null : h("strong", { class: sum < 0 ? "minus" : "plus" }, signed(sum)));
      countTo(points, totals.get(seat), number);
    }
    glide(() => [...list.children], () => list.append(...inOrderOf(totals).map(({ seat }) => rows.get(seat).item)));
    if (last !== null) play("tick");
    last = n;
  };
  return { show, close: sheet.close };
}

/** Count once more, on this phone alone. */
export function replay() {
  const ceremony = openCeremony(() => stop());
  const stop = countAgain((n) => (n === null ? ceremony.close() : ceremony.show(n)));
}

function makeRow(player) {
  const points = h("span", { class: "row-points", "data-value": player.route_points }, number(player.route_points));
  const line = h("span", { class: "ceremony-line" });
  const item = h("li", { class: "ceremony-row" }, car(paintOf(player.colour)), h("span", { class: "row-name" }, nameOf(player)), line, points);
  return { item, points, line };
}

/** Return the board as thin lines, claimed routes in their colours, with some of them lit up. */
function smallMap(lit) {
  const { places, routes, place, size_mm: [width, height] } = theBoard();
  const bright = new Set(lit);
  const line = ({ id, a, b }) => {
    const [[x1, y1], [x2, y2]] = [place[a].xy_mm, place[b].xy_mm];
    const colour = now().spots[`route:${id}`]?.colour;
    const drawn = s("line", { x1, y1, x2, y2, class: bright.has(id) ? "is-lit" : colour ? "is-claimed" : null });
    if (colour) drawn.style.stroke = paintOf(colour).paint;
    return drawn;
  };
  const order = [...routes].sort((a, b) => bright.has(a.id) - bright.has(b.id));
  return s("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, order.map(line), places.map(({ xy_mm: [cx, cy] }) => s("circle", { cx, cy, r: 5 })));
}

/** Small train cars in the winners' colours rain for a moment. */
export function confetti() {
  const winners = now().players.filter((player) => player.is_winner);
  if (isStill() || !winners.length) return;
  const rain = h("div", { class: "confetti", "aria-hidden": "true" });
  for (let i = 0; i < CONFETTI; i++) {
    const piece = h("i", { class: `car-${paintOf(winners[i % winners.length].colour).style}` });
    piece.style.left = `${Math.random() * 100}%`;
    rain.append(piece);
    piece.animate([{ transform: `translateY(-10vh) rotate(${Math.random() * 360}deg)`, opacity: 1 }, { transform: `translateY(110vh) rotate(${Math.random() * 1080}deg)`, opacity: 0.9 }], { duration: 2600 + Math.random() * 2200, delay: Math.random() * 900, easing: "cubic-bezier(.3, .1, .6, 1)", fill: "both" });
  }
  document.body.append(rain);
  setTimeout(() => rain.remove(), 6000);
}
