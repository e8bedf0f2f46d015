// How the points grew: a line for each player, told apart by colour, dashes and letter; and as a table.

import { car, fill, h, s } from "../shared/dom.js";
import { eventText } from "../shared/log_words.js";
import { nameOf } from "../shared/names.js";
import { paintOf } from "../shared/paint.js";
import { clock, list, number, say } from "../shared/words.js";

const HEIGHT = 260;
const EDGE = { left: 40, right: 34, top: 12, bottom: 28 };
const LETTER = 11;
const DASHES = { rising: "9 3", dots: "2 3", falling: "12 3 3 3", checks: "6 6", upright: null, level: "16 4" };
const STEPS = [5, 10, 20, 25, 50, 100, 200, 500, 1000];

/** Show the chart; `mark(i)` shows where event i is, `onPick` hears what event was tapped. */
export function showChart(place, players, moments) {
  const series = players.map((player) => ({ player, paint: paintOf(player.colour), values: moments.map((moment) => moment.players[player.seat]?.points ?? 0) }));
  const svg = s("svg", { class: "chart", role: "img", "aria-label": label(series) });
  let marked = moments.length - 1;
  let heard = () => {};
  let cursor = null;
  let x = () => 0;

  function draw() {
    const width = Math.max(240, place.clientWidth);
    const all = series.flatMap((one) => one.values);
    const [low, high] = [Math.min(0, ...all), Math.max(10, ...all)];
    const y = (points) => EDGE.top + ((high - points) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
    x = (i) => EDGE.left + (i / Math.max(1, moments.length - 1)) * (width - EDGE.left - EDGE.right);
    cursor = s("line", { class: "chart-now", y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    svg.setAttribute("height", HEIGHT);
    fill(svg, grid(low, high, y, width), times(moments, width), series.map((one) => line(one, x, y)), cursor, letters(series, y, width));
    mark(marked);
  }

  function mark(i) {
    marked = i;
    cursor?.setAttribute("x1", x(i));
    cursor?.setAttribute("x2", x(i));
  }

  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const part = (event.clientX - box.left - x(0)) / (x(moments.length - 1) - x(0) || 1);
    heard(Math.round(Math.min(1, Math.max(0, part)) * (moments.length - 1)));
  });
  fill(place, svg, legend(series), asTable(series, moments));
  new ResizeObserver(draw).observe(place);
  draw();
  return { mark, onPick: (hear) => (heard = hear) };
}

function label(series) {
  return say("history.chart_label", { who: list(series.map(({ player, values }) => say("history.of", { n: number(values.at(-1)), name: nameOf(player) }))) });
}

function grid(low, high, y, width) {
  const step = STEPS.find((size) => (high - low) / size <= 5) ?? STEPS.at(-1);
  const marks = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) marks.push(at);
  return s("g", { class: "chart-grid" }, marks.map((at) => [s("line", { x1: EDGE.left, x2: width - EDGE.right, y1: y(at), y2: y(at) }), s("text", { x: EDGE.left - 6, y: y(at) + 4, "text-anchor": "end" }, number(at))]));
}

function times(moments, width) {
  const text = (x, anchor, moment) => s("text", { x, y: HEIGHT - 8, "text-anchor": anchor }, clock(moment.at_s));
  return s("g", { class: "chart-grid" }, text(EDGE.left, "start", moments[0]), text(width - EDGE.right, "end", moments.at(-1)));
}

/** Return a line that steps where points change; a darker one below it keeps white and yellow visible. */
function line({ paint, values }, x, y) {
  let path = `M${x(0)} ${y(values[0])}`;
  for (let i = 1; i < values.length; i++) {
    if (values[i] !== values[i - 1] || i === values.length - 1) path += `H${x(i).toFixed(1)}V${y(values[i]).toFixed(1)}`;
  }
  return s("g", { class: "chart-line" }, s("path", { d: path, class: "chart-edge" }), s("path", { d: path, stroke: paint.paint, "stroke-dasharray": DASHES[paint.kind] ?? null }));
}

/** Return each line's letter at its end, moved apart where they would lie on each other. */
function letters(series, y, width) {
  const ends = series.map(({ paint, values }) => ({ paint, at: y(values.at(-1)) })).sort((a, b) => a.at - b.at);
  for (let i = 1; i < ends.length; i++) ends[i].at = Math.max(ends[i].at, ends[i - 1].at + 2 * LETTER);
  const over = (ends.at(-1)?.at ?? 0) - (HEIGHT - LETTER);
  for (const end of ends) end.at -= Math.max(0, over);
  return s("g", { class: "chart-letters" }, ends.map(({ paint, at }) => s("g", { transform: `translate(${width - EDGE.right + LETTER + 5} ${at})` }, s("circle", { r: LETTER - 1, stroke: paint.paint }), s("text", { y: 4.5, "text-anchor": "middle" }, paint.letter))));
}

function legend(series) {
  return h("ul", { class: "chart-legend plain", "aria-hidden": "true" }, series.map(({ player, paint }) => h("li", {}, car(paint), h("span", {}, nameOf(player)))));
}

/** Return the same for who does not see it: a row for every event that changed somebody's points. */
function asTable(series, moments) {
  const rows = moments.map((moment, i) => i).filter((i) => i === 0 || series.some(({ values }) => values[i] !== values[i - 1]));
  const body = h("div", { class: "chart-table", tabindex: 0, role: "region", "aria-label": say("history.chart_table") });
  const details = h("details", { class: "chart-numbers" }, h("summary", {}, say("history.chart_table")), body);
  // Some hundred rows, made when somebody asks for them.
  details.addEventListener("toggle", () => details.open && fill(body, h("table", { class: "score-table" },
    h("thead", {}, h("tr", {}, [say("history.event"), ...series.map(({ player }) => nameOf(player))].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map((i) => h("tr", {}, h("th", { scope: "row" }, eventText(moments[i])), series.map(({ values }) => h("td", {}, number(values[i])))))))));
  return details;
}
