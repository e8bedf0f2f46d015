// How the game goes, as charts that follow it; also for the printed sheet.

import { lineChart } from "../shared/charts.js";
import { followCourse } from "../shared/course.js";
import { addTo, dress, h } from "../shared/dom.js";
import { pointBars } from "../shared/point_bars.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { now } from "../shared/state.js";
import { learn, say } from "../shared/words.js";

const LINES = ["points", "trains", "path"];

/** Open the charts of the game that runs. */
export async function openCharts() {
  const isThere = await attempt(async () => (await Promise.all([learn("charts"), dress("shared/charts.css")]), true));
  if (!isThere) return;
  const places = Object.fromEntries([...LINES, "bars"].map((kind) => [kind, h("div", {})]));
  const part = (kind, note = null) => [h("h3", {}, say(`charts.${kind}`)), note, places[kind]];
  const body = h("div", { class: "charts" }, part("points"), part("bars", now().game.ended ? null : h("p", { class: "soft" }, say("charts.so_far"))), part("trains"), part("path"));
  let stop = () => {};
  let isOpen = true;
  openSheet(say("charts.title"), () => body, { name: "tall", onClose: () => ((isOpen = false), stop()) });
  addTo("paper", () => (isOpen ? body.cloneNode(true) : null));
  const bars = pointBars(places.bars);
  let charts = null;
  stop = await followCourse((players, moments) => {
    bars.update(players);
    if (charts) for (const chart of charts) chart.update(players, moments);
    else charts = LINES.map((kind) => lineChart(places[kind], kind, players, moments));
  });
  if (!isOpen) stop();
}
