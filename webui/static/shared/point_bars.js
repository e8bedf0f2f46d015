// Where everyone's points come from, as bars: routes beside tickets and bonuses, told apart by what fills them.

import { fill, h, s } from "./dom.js";
import { scoreTable } from "./final_score.js";
import { nameOf } from "./names.js";
import { paintOf } from "./paint.js";
import { list, number, say } from "./words.js";

const BAR = 14;
const ROW = 78;
const NAME = 22;
const EDGE = { left: 12, right: 40 };
const KINDS = {
  routes: ["score.routes", (player) => player.route_points],
  tickets: ["score.tickets", (player) => player.ticket_points],
  bonuses: ["score.bonuses", (player) => player.points - player.route_points - player.ticket_points],
};

/** Show the bars in a place; `update(players)` shows others. */
export function pointBars(place) {
  const svg = s("svg", { class: "chart chart-bars", role: "img", "aria-labelledby": "bars-title bars-about" });
  const numbers = h("details", { class: "chart-numbers", "data-key": "bars-numbers" }, h("summary", {}, say("charts.table")));
  let shown = [];

  function draw() {
    const order = [...shown].sort((a, b) => b.points - a.points);
    const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const width = Math.max(240, place.clientWidth / unit);
    const height = order.length * ROW;
    const all = order.flatMap((player) => Object.values(KINDS).map(([, value]) => value(player)));
    const [low, high] = [Math.min(0, ...all), Math.max(10, ...all)];
    const from = EDGE.left + (low < 0 ? EDGE.right : 0);
    const x = (points) => from + ((points - low) / (high - low)) * (width - from - EDGE.right);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height * unit);
    fill(svg, s("title", { id: "bars-title" }, say("charts.bars")), s("desc", { id: "bars-about" }, about(order)), patterns(),
      order.map((player, i) => row(player, i * ROW, x)), s("line", { class: "bar-zero", x1: x(0), x2: x(0), y1: 0, y2: height }));
  }

  function update(players) {
    shown = players;
    draw();
    numbers.replaceChildren(numbers.firstChild, scoreTable(players));
  }

  fill(place, svg, legend(), numbers);
  new ResizeObserver(draw).observe(place);
  return { update };
}

function about(players) {
  return players.map((player) => say("charts.bars_of", { name: nameOf(player), what: list(Object.values(KINDS).map(([key, value]) => say("charts.of", { n: number(value(player)), name: say(key) }))) })).join(" ");
}

function patterns() {
  return s("defs", {},
    s("pattern", { id: "bar-tickets", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("rect", { class: "bar-ink", width: 2.4, height: 6 })),
    s("pattern", { id: "bar-bonuses", width: 5, height: 5, patternUnits: "userSpaceOnUse" }, s("circle", { class: "bar-ink", cx: 2.5, cy: 2.5, r: 1.2 })));
}

function row(player, top, x) {
  const { letter, paint } = paintOf(player.colour);
  return s("g", {},
    s("g", { class: "chart-letters", transform: `translate(${EDGE.left + 2} ${top + 12})` }, s("circle", { r: 10, stroke: paint }), s("text", { y: 4.5, "text-anchor": "middle" }, letter)),
    s("text", { class: "bar-name", x: EDGE.left + 20, y: top + 17 }, nameOf(player)),
    Object.entries(KINDS).map(([kind, [, value]], i) => bar(kind, value(player), top + NAME + 4 + i * (BAR + 2), x)));
}

function bar(kind, points, y, x) {
  const [left, right] = [Math.min(x(0), x(points)), Math.max(x(0), x(points))];
  const isBelow = points < 0;
  return [
    s("rect", { class: `bar bar-${kind}`, x: left, y, width: right - left, height: BAR }),
    s("text", { class: "bar-points", x: isBelow ? left - 5 : right + 5, y: y + BAR - 2.5, "text-anchor": isBelow ? "end" : "start" }, number(points)),
  ];
}

function legend() {
  return h("ul", { class: "chart-legend plain", "aria-hidden": "true" }, Object.entries(KINDS).map(([kind, [key]]) =>
    h("li", {}, s("svg", { class: "bar-sample", viewBox: "0 0 28 14", width: 28, height: 14 }, s("rect", { class: `bar bar-${kind}`, x: 1, y: 1, width: 26, height: 12 })), h("span", {}, say(key)))));
}
