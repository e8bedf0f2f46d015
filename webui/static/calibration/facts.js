// How the board was found or why not, what is wrong with the picture, and what it is read with, in words.

import { post } from "../shared/api.js";
import { h, icon, setText } from "../shared/dom.js";
import { confirmSheet } from "../shared/sheets.js";
import { dayAndTime, say, sayCount, sentence } from "../shared/words.js";
import { act } from "./desk.js";

const SIGNS = { found: "eye", lost: "lost", looking: "search", waiting: "search", keeping: "clock" };
const WAYS = {
  "own photo": "calibration.way_own_photo",
  fingerprint: "calibration.way_fingerprint",
  markers: "calibration.way_markers",
  corners: "calibration.way_corners",
};
const GRADES = { good: "calibration.good", usable: "calibration.usable", poor: "calibration.poor" };

/** Return the line that says how it stands; it is changed only when that is something new. */
export function statusLine() {
  const sign = h("span", { class: "calibration-sign" }, icon("search"));
  const text = h("span", {}, say("calibration.looking"));
  const line = h("p", { class: "calibration-state", role: "status", "data-state": "looking" }, sign, text);
  const put = (state, words) => {
    if (line.dataset.state !== state) {
      line.dataset.state = state;
      sign.replaceChildren(icon(SIGNS[state] ?? "lost"));
    }
    setText(text, words);
  };
  return {
    line,
    show: (view) => put(view.state === "found" && !view.is_ready ? "lost" : view.state, sentence(view.said)),
    fail: (words) => put("lost", words),
  };
}

/** Return what is wrong with the picture; the numbers are those of the outlines in it. */
export function findingsList(view) {
  const notes = view.notes.map((note) => h("p", { class: "calibration-note" }, sentence(note)));
  if (!view.verdict) return notes;
  const { grade, findings } = view.verdict;
  return [...notes,
    h("p", { class: `calibration-grade is-${grade}` }, say(GRADES[grade])),
    findings.length ? h("ol", { class: "calibration-findings" }, findings.map((finding) => h("li", {}, sentence(finding.said)))) : null];
}

/** Return what it is read with, and how it was looked for. */
export function details(view) {
  return h("div", { class: "soft" },
    h("p", {}, profileText(view.profile)),
    view.profile?.unseen ? h("p", {}, sayCount("calibration.unseen", view.profile.unseen)) : null,
    view.nudged ? h("p", {}, sayCount("calibration.nudged", view.nudged)) : null,
    view.tried.length && view.state !== "found"
      ? [h("h2", { class: "calibration-tried" }, say("calibration.tried")),
          h("ul", {}, view.tried.map((one) => h("li", {}, h("strong", {}, say(WAYS[one.way])), " ", sentence(one.said))))]
      : null);
}

function profileText(profile) {
  if (!profile) return say("calibration.profile_none");
  if (profile.is_drawn) return say("calibration.profile_drawn");
  const atMs = Date.parse(profile.made_at);
  return say("calibration.profile_own", { at: Number.isNaN(atMs) ? "" : dayAndTime(atMs / 1000) });
}

/** Ask whether a picture may become the photo of the board, which is held meanwhile, and keep it. */
export function askToKeep(view, told, hold) {
  const keep = () => act(() => post("/calibration/keep", { picture: view.picture.number }), told);
  hold(view.picture.number);
  confirmSheet(say("calibration.keep_title"), say("calibration.keep_text"), say("calibration.keep_yes"), keep, { onClose: () => hold(null) });
}
