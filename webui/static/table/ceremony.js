// Counting the points together: routes, then ticket by ticket, then bonuses, until somebody wins. May be skipped.

import { button, car, fill, h, icon } from "../shared/dom.js";
import { lineGroup, lineText, winnerText } from "../shared/final_score.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { announce, openSheet } from "../shared/sheets.js";
import { now } from "../shared/state.js";
import { number, say, signed } from "../shared/words.js";
import { countTo, glide, isStill, pause } from "./motion.js";
import { play } from "./sounds.js";

const STEP_MS = 1100;
const FIRST_MS = 900;
const CONFETTI = 48;

/** Open the ceremony; `done` is called when it is over or left. */
export function openCeremony(done) {
  const stage = { isSkipped: isStill(), isOver: false };
  const sheet = openSheet(say("ceremony.title"), () => [], { name: "ceremony", onClose: () => ((stage.isOver = true), done()) });
  const players = now().players;
  const rows = new Map(players.map((player) => [player.seat, makeRow(player)]));
  const words = h("p", { class: "ceremony-words" });
  const list = h("ol", { class: "ceremony-rows" }, [...rows.values()].map((row) => row.item));
  const skip = button(null, say("ceremony.skip"), () => (stage.isSkipped = true), { class: "wide quiet" });
  fill(sheet.dialog.querySelector(".sheet-body"), words, list, skip);
  run(players, rows, { words, list, stage }).then(() => {
    if (stage.isOver) return;
    skip.replaceWith(button(null, say("ceremony.close"), () => sheet.close(), { class: "primary wide" }));
    crown(sheet, players, words);
  });
}

function makeRow(player) {
  const points = h("span", { class: "row-points" }, "0");
  const line = h("span", { class: "ceremony-line" });
  const item = h("li", { class: "ceremony-row" }, car(paintOf(player.colour)), h("span", { class: "row-name" }, nameOf(player)), points, line);
  return { item, points, line, total: 0 };
}

async function run(players, rows, { words, list, stage }) {
  const wait = (ms) => (stage.isSkipped || stage.isOver ? null : pause(ms));
  const order = () => glide(() => [...list.children], () => list.append(...players.map((player) => rows.get(player.seat)).sort((a, b) => b.total - a.total).map((row) => row.item)));
  const add = (row, points) => {
    row.total += points;
    if (stage.isSkipped) row.points.textContent = number((row.points.dataset.value = row.total));
    else countTo(row.points, row.total, number);
  };
  words.textContent = say("ceremony.routes");
  for (const player of players) add(rows.get(player.seat), player.route_points);
  order();
  await wait(FIRST_MS * 2);
  for (const [kind, text] of [["ticket", say("ceremony.tickets")], ["bonus", say("ceremony.bonuses")]]) {
    const steps = players.flatMap((player) => player.lines.filter((line) => lineGroup(line) === kind).map((line) => [player, line]));
    if (steps.length) words.textContent = text;
    for (const [player, line] of steps) {
      const row = rows.get(player.seat);
      row.item.classList.add("is-counting");
      fill(row.line, h("span", {}, lineText(line)), h("strong", { class: line.points < 0 ? "minus" : "plus" }, signed(line.points)));
      add(row, line.points);
      order();
      if (!stage.isSkipped) play("tick");
      await wait(STEP_MS);
      row.item.classList.remove("is-counting");
    }
  }
}

function crown(sheet, players, words) {
  const { title, reason } = winnerText(players);
  const winners = players.filter((player) => player.is_winner);
  fill(words, icon("crown"), h("strong", {}, title), h("span", { class: "soft" }, reason));
  words.classList.add("is-winner");
  announce(title);
  dispatchEvent(new Event("crowned")); // the voice waits for it: it betrays nothing
  play("winner");
  if (!isStill() && winners.length) sheet.dialog.append(confetti(winners));
}

/** Small train cars in the winners' colours rain for a moment. */
function confetti(winners) {
  const rain = h("div", { class: "confetti", "aria-hidden": "true" });
  for (let i = 0; i < CONFETTI; i++) {
    const piece = h("i", { class: `car-${paintOf(winners[i % winners.length].colour).style}` });
    piece.style.left = `${Math.random() * 100}%`;
    rain.append(piece);
    piece.animate([{ transform: `translateY(-10vh) rotate(${Math.random() * 360}deg)`, opacity: 1 }, { transform: `translateY(110vh) rotate(${Math.random() * 1080}deg)`, opacity: 0.9 }], { duration: 2600 + Math.random() * 2200, delay: Math.random() * 900, easing: "cubic-bezier(.3, .1, .6, 1)", fill: "both" });
  }
  setTimeout(() => rain.remove(), 6000);
  return rain;
}
