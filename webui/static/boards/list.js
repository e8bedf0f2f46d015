// The list of boards: the user's own, those being made, and the program's.

import { address, get, post, remove, sendFile } from "../shared/api.js";
import { button, fill, h } from "../shared/dom.js";
import { comeInByLink } from "../shared/hosts.js";
import { confirmSheet, toast } from "../shared/sheets.js";
import { number, say } from "../shared/words.js";
import { attempt, field, numberField } from "./forms.js";

const view = document.getElementById("view");

start();

async function start() {
  await comeInByLink();
  await show();
  document.body.dataset.ready = "yes";
}

async function show() {
  let told;
  try {
    told = await get("/boards");
  } catch (error) {
    const isGuest = error.status === 401 || error.status === 403;
    return fill(view, h("p", { class: "problem" }, isGuest ? say("boards.host_only") : error.message));
  }
  return fill(view, made(told), newBoard(told), takeIn(), builtIn(told));
}

function made({ own, drafts }) {
  const saved = new Set(own.map((board) => board.id));
  const isMade = new Set(drafts.map((draft) => draft.id));
  return h("section", { class: "card", "aria-labelledby": "own-title" },
    h("h2", { id: "own-title" }, say("boards.own")),
    own.length + drafts.length ? null : h("p", { class: "soft" }, say("boards.none")),
    h("ul", { class: "plain board-list" },
      own.map((board) => row(board, isMade.has(board.id))),
      drafts.filter((draft) => !saved.has(draft.id)).map((draft) => row({ ...draft, isDraft: true }, true))));
}

function row(board, isMade) {
  const change = isMade ? h("a", { class: "button", href: `/boards/${board.id}/edit` }, say("boards.go_on"))
    : button(null, say("boards.change"), () => begin({ onto: board.id }));
  return h("li", { "data-board": board.id },
    h("div", {}, h("strong", {}, board.title), " ", h("code", {}, board.id), h("p", { class: "soft" }, facts(board))),
    h("div", { class: "buttons" },
      board.is_damaged ? null : change,
      board.isDraft || board.is_damaged ? null : h("a", { class: "button", href: address(`/boards/${board.id}`), download: "" }, say("boards.export")),
      button(null, say("boards.delete"), () => askToDelete(board), { class: "danger" })));
}

function facts(board) {
  if (board.is_damaged) return say("boards.damaged");
  if (board.isDraft) return say("boards.is_draft");
  const counted = say("boards.facts", { places: number(board.places), routes: number(board.routes) });
  const lacks = board.complete ? (board.measured ? "" : say("boards.unmeasured")) : say("boards.part");
  return lacks ? `${counted} ${lacks}` : counted;
}

function askToDelete(board) {
  confirmSheet(say("boards.delete_title", { title: board.title }), say("boards.delete_text"), say("boards.delete"), async () => {
    await attempt(() => remove(`/boards/${board.id}`));
    await show();
  });
}

function newBoard() {
  const title = field("new-title", say("boards.title"), { required: true, maxlength: 80 });
  const [width, high] = sizeFields("new");
  return h("section", { class: "card", "aria-labelledby": "new-title-head" },
    h("h2", { id: "new-title-head" }, say("boards.new")),
    h("p", { class: "soft" }, say("boards.new_text")),
    h("form", { class: "board-form", on: { submit: (event) => {
      event.preventDefault();
      begin({ title: title.input.value, width_mm: Number(width.input.value), height_mm: Number(high.input.value) });
    } } }, title.all, width.all, high.all, h("button", { class: "primary", type: "submit" }, say("boards.begin"))));
}

function sizeFields(name) {
  const limits = { min: 100, max: 2000, step: "any", required: true };
  return [numberField(`${name}-width`, say("boards.width"), limits), numberField(`${name}-height`, say("boards.height"), limits)];
}

async function begin(said) {
  const draft = await attempt(() => post("/board-drafts", said));
  if (draft) location.assign(`/boards/${draft.id}/edit`);
}

function takeIn() {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const input = h("input", { type: "file", id: "board-file", accept: ".json,application/json", on: { change: async () => {
    problem.hidden = true;
    try {
      const told = await sendFile("POST", "/boards", input.files[0]);
      toast(say("boards.taken_in", { id: told.id }));
      await show();
    } catch (error) {
      if (error.status === undefined) throw error;
      problem.textContent = say("boards.refused", { error: error.message });
      problem.hidden = false;
    }
    input.value = "";
  } } });
  return h("section", { class: "card" },
    h("h2", {}, h("label", { for: "board-file" }, say("boards.take_in"))),
    h("p", { class: "soft" }, say("boards.take_in_text")), input, problem);
}

function builtIn({ built_in }) {
  return h("section", { class: "card", "aria-labelledby": "built-in-title" },
    h("h2", { id: "built-in-title" }, say("boards.built_in")),
    h("ul", { class: "plain board-list" }, built_in.map((board) => h("li", { "data-board": board.id },
      h("div", {}, h("strong", {}, board.title), " ", h("code", {}, board.id), h("p", { class: "soft" }, facts(board))),
      board.complete ? h("div", { class: "buttons" }, h("a", { class: "button", href: address(`/boards/${board.id}`), download: "" }, say("boards.export"))) : complete(board)))));
}

function complete(board) {
  const [width, high] = sizeFields(`size-${board.id}`);
  return h("form", { class: "board-form", on: { submit: (event) => {
    event.preventDefault();
    begin({ onto: board.id, title: board.title.replace(/ \(.*/, ""), width_mm: Number(width.input.value), height_mm: Number(high.input.value) });
  } } }, width.all, high.all, h("button", { type: "submit" }, say("boards.complete")));
}
