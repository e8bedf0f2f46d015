// What is left to do, looking for routes, saving; the sites; and the board as a whole.

import { h } from "../shared/dom.js";
import { said } from "../shared/said.js";
import { number, say, sayCount } from "../shared/words.js";
import { edit, propose, reload, save, take, theDraft } from "./draft.js";
import { button, field, numberField, tableField } from "./fields.js";
import { tell } from "./tell.js";

const STEPS = { waiting: "boards.step_waiting", "finding spaces": "boards.step_spaces", "stringing routes": "boards.step_routes" };

export function stateCard(chooseRoute) {
  const draft = theDraft();
  const doubted = draft.routes.filter((route) => !route.is_accepted && route.doubts.length);
  const sure = draft.routes.filter((route) => !route.is_accepted && !route.doubts.length);
  return h("section", { class: "card", "aria-labelledby": "state-title" },
    h("h2", { id: "state-title" }, say("boards.state")),
    draft.problem ? h("p", { class: "problem", role: "alert" }, problem(draft, chooseRoute)) : null,
    draft.work.problem ? h("p", { class: "problem", role: "alert" }, said(draft.work.problem)) : null,
    draft.work.step ? h("p", { class: "hint", role: "status" }, say(STEPS[draft.work.step])) : search(draft),
    doubted.length ? h("p", {}, sayCount("boards.doubted", doubted.length), " ", button("next-doubt", say("boards.next_doubt"), () => chooseRoute(doubted[0].number))) : null,
    sure.length ? h("p", {}, sayCount("boards.sure", sure.length), " ", button("accept-certain", say("boards.accept_all"), () => edit("accept certain"))) : null,
    draft.notes.length ? h("details", { "data-key": "notes" }, h("summary", {}, sayCount("boards.notes", draft.notes.length)), h("ul", {}, draft.notes.map((note) => h("li", {}, said(note))))) : null,
    h("p", { class: "soft", id: "saved" }, say(draft.is_saved ? "boards.saved" : "boards.unsaved", { id: draft.id })),
    h("div", { class: "buttons" }, button("save", say("boards.save"), keep, { class: "primary", disabled: Boolean(draft.problem) || draft.is_saved })));
}

/** Return what is wrong, with a way to the route that it names. */
function problem({ problem: text, routes }, chooseRoute) {
  const [, a, b] = /routes? '([a-z0-9-]+?)--([a-z0-9-]+?)(?:--\d)?'/.exec(text) ?? /between ([a-z0-9-]+) and ([a-z0-9-]+)/.exec(text) ?? [];
  const route = routes.find((one) => [one.a, one.b].sort().join() === [a, b].sort().join());
  return [said(text), route ? button("to-fault", say("boards.show"), () => chooseRoute(route.number)) : null];
}

function search(draft) {
  const length = numberField("space-length", say("boards.space_length"), { min: 3, max: 100, step: "any", "data-draft": true });
  const wide = numberField("space-width", say("boards.space_width"), { min: 3, max: 100, step: "any", "data-draft": true });
  const size = () => (length.input.value && wide.input.value ? { length_mm: Number(length.input.value), width_mm: Number(wide.input.value) } : {});
  return [
    button("propose", say("boards.propose"), () => propose(size()), { disabled: draft.places.length < 2 }),
    h("details", { "data-key": "space-size" }, h("summary", {}, say("boards.space_size")), h("p", { class: "soft" }, say("boards.space_size_text")), h("div", { class: "board-form" }, length.all, wide.all)),
  ];
}

async function keep() {
  const told = await save();
  if (!told) return;
  take({ ...theDraft(), is_saved: true });
  tell(say("boards.saved", { id: told.board.id }));
  await reload();
}

export function sitesCard() {
  const { sites } = theDraft();
  const area = tableField("sites-table", "take-sites", (text) => edit("sites", { table: text }), { rows: 6 }, sites);
  return h("details", { class: "card", "data-key": "sites" }, h("summary", {}, h("h2", {}, say("boards.sites"))),
    h("label", { for: "sites-table" }, say("boards.sites_text")), area);
}

/** The map's own tickets: typed or pasted, one in a line. */
export function ticketsCard() {
  const { tickets } = theDraft();
  const count = Math.max(0, tickets.trim().split("\n").length - 1);
  const area = tableField("tickets-table", "take-tickets", (text) => edit("tickets", { table: text }), { rows: 8 }, tickets);
  return h("details", { class: "card", "data-key": "tickets" }, h("summary", {}, h("h2", {}, say("boards.tickets", { n: number(count) }))),
    h("label", { for: "tickets-table" }, say("boards.tickets_text")), area);
}

export function boardCard({ corners, photo }) {
  const draft = theDraft();
  const title = field("board-title", say("boards.title"), { value: draft.title, maxlength: 80, on: { change: () => edit("board", { name: title.input.value }) } });
  const complete = h("input", { type: "checkbox", id: "board-complete", "data-key": "board-complete", checked: draft.is_complete, on: { change: () => edit("board", { is_complete: complete.checked }) } });
  return h("details", { class: "card", "data-key": "board" }, h("summary", {}, h("h2", {}, say("boards.board"))),
    h("div", { class: "board-form" }, title.all, h("label", { class: "check" }, complete, say("boards.is_complete"))),
    h("p", { class: "soft" }, say("boards.play", { id: draft.id, size: draft.size_mm.map(number).join(" × ") })),
    h("div", { class: "buttons" }, button("corners", say("boards.corners_again"), corners), button("photo", say("boards.photo_again"), photo)));
}
