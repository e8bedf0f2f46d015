// A game as lines: one for each player, told apart without colour too, by dashes, marks and a letter; and as a table.

import { car, fill, h, s } from "./dom.js";
import { eventText } from "./log_words.js";
import { nameOf } from "./names.js";
import { paintOf } from "./paint.js";
import { clock, list, number, say } from "./words.js";

const HEIGHT = 260;
const EDGE = { left: 40, right: 34, top: 12, bottom: 28 };
const LETTER = 11;
const MARKS = 5; // on each line
const DASHES = { black: null, blue: "9 3", green: "2 3", orange: "12 3 3 3", purple: "6 6", red: "20 3", white: "3 7", yellow: "16 4 2 4 2 4", other: "1 3" };
const SHAPES = {
  black: "M-4-4h8v8h-8z",
  blue: "M0-5a5 5 0 1 1 0 10 5 5 0 1 1 0-10z",
  green: "M0-5.500 5 4h-10z",
  orange: "M0-6 6 0 0 6-6 0z",
  purple: "M-2-5h4v3h3v4h-3v3h-4v-3h-3v-4h3z",
  red: "M-5-3.500-3.500-5 0-1.500 3.500-5 5-3.500 1.500 0 5 3.500 3.500 5 0 1.500-3.500 5-5 3.500-1.500 0z",
  white: "M-6-2.500h12v5h-12z",
  yellow: "M0 5.500-5-4h10z",
  other: "M-2.500-6h5v12h-5z",
};
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000];

/** What is drawn of every player, and what it was before anything was known of her. */
const KINDS = {
  points: { title: "charts.points", value: (player) => player.points, unknown: () => 0, least: 10 },
  trains: { title: "charts.trains", value: (player) => player.trains_left, unknown: (player) => player.trains, least: 10 },
  path: { title: "charts.path", value: (player) => player.longest_path, unknown: () => 0, least: 5 },
};

let charts = 0;

/**
 * Show a chart of `points`, `trains` or the longest `path` in a place; where it is `isBare`, it fills the
 * place and has no table.
 *
 * `mark(i)` shows where event i is, `onPick` hears what event was tapped, `update` takes a game that went on.
 */
export function lineChart(place, kind, players, moments, { isBare = false } = {}) {
  const { title, value, unknown, least } = KINDS[kind];
  const id = `chart-${++charts}`;
  const svg = s("svg", { class: `chart chart-${kind}`, role: "img", "aria-labelledby": `${id}-title ${id}-about` });
  const names = [s("title", { id: `${id}-title` }, say(title)), s("desc", { id: `${id}-about` })];
  const [key, rows] = isBare ? [null, null] : [h("ul", { class: "chart-legend plain", "aria-hidden": "true" }), h("div", {})];
  let series = [];
  let marked = null;
  let heard = () => {};
  let cursor = null;
  let x = () => 0;

  function draw() {
    // In units that grow with the page's letters: so it is right across a room too.
    const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const width = Math.max(240, place.clientWidth / unit);
    const height = isBare ? Math.max(80, place.clientHeight / unit) : HEIGHT;
    const all = series.flatMap((one) => one.values);
    const [low, high] = [Math.min(0, ...all), Math.max(least, ...all)];
    const y = (at) => EDGE.top + ((high - at) / (high - low)) * (height - EDGE.top - EDGE.bottom);
    x = (i) => EDGE.left + (i / Math.max(1, moments.length - 1)) * (width - EDGE.left - EDGE.right);
    cursor = marked === null ? null : s("line", { class: "chart-now", y1: EDGE.top, y2: height - EDGE.bottom });
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height * unit);
    names[1].textContent = say("charts.about", { who: list(series.map(({ player, values }) => say("charts.of", { n: number(values.at(-1)), name: nameOf(player) }))) });
    fill(svg, names, grid(low, high, y, width), times(moments, width, height), series.map((one) => line(one, x, y)), series.map((one, i) => shapes(one, i / series.length, x, y)), cursor, letters(series, y, width, height));
    if (marked !== null) mark(marked);
  }

  function mark(i) {
    const isNew = marked === null;
    marked = i;
    if (isNew) draw();
    cursor?.setAttribute("x1", x(i));
    cursor?.setAttribute("x2", x(i));
  }

  function update(newPlayers, newMoments) {
    moments = newMoments;
    series = newPlayers.map((player) => ({ player, paint: paintOf(player.colour), values: moments.map((moment) => value(moment.players[player.seat] ?? {}) ?? unknown(player)) }));
    draw();
    if (isBare) return;
    fill(key, series.map(({ player, paint }) => h("li", {}, car(paint), h("span", {}, nameOf(player)))));
    fill(rows, asTable(series, moments, `${id}-numbers`, say(title)));
  }

  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const part = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width - x(0);
    heard(Math.round(Math.min(1, Math.max(0, part / (x(moments.length - 1) - x(0) || 1))) * (moments.length - 1)));
  });
  fill(place, svg, key, rows);
  update(players, moments);
  new ResizeObserver(draw).observe(place);
  return { mark, update, onPick: (hear) => (heard = hear) };
}

function grid(low, high, y, width) {
  const step = STEPS.find((size) => (high - low) / size <= 5) ?? STEPS.at(-1);
  const marks = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) marks.push(at || 0); // no -0
  return s("g", { class: "chart-grid" }, marks.map((at) => [s("line", { x1: EDGE.left, x2: width - EDGE.right, y1: y(at), y2: y(at) }), s("text", { x: EDGE.left - 6, y: y(at) + 4, "text-anchor": "end" }, number(at))]));
}

function times(moments, width, height) {
  const text = (x, anchor, moment) => s("text", { x, y: height - 8, "text-anchor": anchor }, clock(moment.at_s));
  return s("g", { class: "chart-grid" }, text(EDGE.left, "start", moments[0]), text(width - EDGE.right, "end", moments.at(-1)));
}

/** Return a line that steps where something changes; a darker one below it keeps white and yellow visible. */
function line({ paint, values }, x, y) {
  let path = `M${x(0)} ${y(values[0])}`;
  for (let i = 1; i < values.length; i++) {
    if (values[i] !== values[i - 1] || i === values.length - 1) path += `H${x(i).toFixed(1)}V${y(values[i]).toFixed(1)}`;
  }
  return s("g", { class: "chart-line" }, s("path", { d: path, class: "chart-edge" }), s("path", { d: path, stroke: paint.paint, "stroke-dasharray": DASHES[paint.style] }));
}

/** Return the marks of a line, each player's at other events. */
function shapes({ paint, values }, shift, x, y) {
  const at = Array.from({ length: MARKS }, (_, i) => Math.round(((i + shift) / MARKS) * (values.length - 1)));
  return s("g", { class: "chart-marks" }, [...new Set(at)].map((i) => s("path", { d: SHAPES[paint.style], transform: `translate(${x(i).toFixed(1)} ${y(values[i]).toFixed(1)})`, fill: paint.paint })));
}

/** Return each line's letter at its end, moved apart where they would lie on each other. */
function letters(series, y, width, height) {
  const ends = series.map(({ paint, values }) => ({ paint, at: y(values.at(-1)) })).sort((a, b) => a.at - b.at);
  for (let i = 1; i < ends.length; i++) ends[i].at = Math.max(ends[i].at, ends[i - 1].at + 2 * LETTER);
  const over = (ends.at(-1)?.at ?? 0) - (height - LETTER);
  for (const end of ends) end.at -= Math.max(0, over);
  return s("g", { class: "chart-letters" }, ends.map(({ paint, at }) => s("g", { transform: `translate(${width - EDGE.right + LETTER + 5} ${at})` }, s("circle", { r: LETTER - 1, stroke: paint.paint }), s("text", { y: 4.5, "text-anchor": "middle" }, paint.letter))));
}

/** Return the same for who does not see it: a row for every event that changed somebody's number. */
function asTable(series, moments, key, title) {
  const rows = moments.map((_, i) => i).filter((i) => i === 0 || series.some(({ values }) => values[i] !== values[i - 1]));
  const body = h("div", { class: "chart-table", tabindex: 0, role: "region", "aria-label": title });
  const details = h("details", { class: "chart-numbers", "data-key": key }, h("summary", {}, say("charts.table")), body);
  // Some hundred rows, made when somebody asks for them.
  details.addEventListener("toggle", () => details.open && fill(body, h("table", { class: "score-table" },
    h("caption", { class: "unseen" }, title),
    h("thead", {}, h("tr", {}, [say("charts.event"), ...series.map(({ player }) => nameOf(player))].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map((i) => h("tr", {}, h("th", { scope: "row" }, eventText(moments[i])), series.map(({ values }) => h("td", {}, number(values[i])))))))));
  return details;
}
