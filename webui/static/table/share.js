// A picture of the result to send to others: the board and the score, painted in the browser.

import { boardPicture } from "../shared/board.js";
import { h } from "../shared/dom.js";
import { doubtText, winnerText, winnersFirst } from "../shared/final_score.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { toast } from "../shared/sheets.js";
import { now } from "../shared/state.js";
import { day, number, say } from "../shared/words.js";

const WIDE = 1200;
const MARGIN = 48;
const ROW = 76;
const INK = "#2b2320";
const SOFT = "#685a50";
const FONT = "system-ui, sans-serif";
// An SVG that becomes a picture knows no style sheet: what it needs is written into it.
const LOOK = {
  ".paper": { fill: "#efe4cd" },
  ".print": { "fill-opacity": ".28", "stroke-width": "1.6" },
  ".train": { stroke: INK, "stroke-width": "1.4" },
  ".places circle": { fill: "#fffdf8", stroke: INK, "stroke-width": "1.6" },
  ".fingers path": { display: "none" },
  ".letter circle": { fill: "#fff", stroke: INK, "stroke-width": ".6" },
  ".letter text": { fill: INK, "font-size": "7", "font-weight": "700", "text-anchor": "middle", "font-family": "sans-serif" },
  ".names text": { fill: INK, stroke: "#efe4cd", "paint-order": "stroke", "font-family": "sans-serif" },
};

/** Offer the picture to the phone's other programs, or save it. */
export async function share() {
  const blob = await resultPicture();
  const file = new File([blob], `${say("share.file")}.png`, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => {});
    return;
  }
  const link = h("a", { href: URL.createObjectURL(blob), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  toast(say("share.saved"));
}

/** Return the result as a PNG. */
async function resultPicture() {
  const { svg, size } = boardPicture();
  const high = Math.round(((WIDE - 2 * MARGIN) * size[1]) / size[0]);
  const players = winnersFirst(now().players);
  const canvas = h("canvas", { width: WIDE, height: 150 + high + 40 + players.length * ROW + 70 });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#f6efe1";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  write(pen, winnerText(players).title, MARGIN, 78, `800 46px ${FONT}`, INK);
  write(pen, `${now().game.name || now().game.title} · ${day(Date.now() / 1000)}`, MARGIN, 118, `24px ${FONT}`, SOFT);
  pen.drawImage(await imageOf(svg, WIDE - 2 * MARGIN, high), MARGIN, 145, WIDE - 2 * MARGIN, high);
  players.forEach((player, i) => row(pen, player, 145 + high + 40 + i * ROW));
  write(pen, doubtText(players) || say("share.footer"), MARGIN, canvas.height - 24, `20px ${FONT}`, SOFT);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function row(pen, player, top) {
  const paint = paintOf(player.colour);
  pen.fillStyle = paint.paint;
  pen.strokeStyle = INK;
  pen.lineWidth = 3;
  pen.beginPath();
  pen.roundRect(MARGIN, top, 84, 52, 10);
  pen.fill();
  pen.stroke();
  pen.fillStyle = "#fff";
  pen.beginPath();
  pen.roundRect(MARGIN + 27, top + 10, 30, 32, 6);
  pen.fill();
  write(pen, paint.letter, MARGIN + 42, top + 36, `700 26px ${FONT}`, INK, "center");
  write(pen, nameOf(player), MARGIN + 108, top + 38, `700 32px ${FONT}`, INK);
  write(pen, number(player.points), WIDE - MARGIN, top + 42, `800 44px ${FONT}`, INK, "right");
}

function write(pen, text, x, y, font, colour, align = "left") {
  pen.font = font;
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.fillText(text, x, y, WIDE - 2 * MARGIN);
}

async function imageOf(svg, width, height) {
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  for (const [selector, look] of Object.entries(LOOK)) for (const element of svg.querySelectorAll(selector)) for (const [name, value] of Object.entries(look)) element.setAttribute(name, value);
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  return image;
}
