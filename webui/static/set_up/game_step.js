// The first step: which game is played, and on which board; games that were left go on from here too.

import { fill, fillAnew, h } from "../shared/dom.js";
import { number, say, sentence } from "../shared/words.js";
import { choose, theSetUp } from "./choices.js";
import { anyNumber, faultsPlace, heading, option, showGames } from "./parts.js";

/** Show the step; `next()` goes on. */
export function gameStep(place, { next, resume }) {
  const games = h("div", {});
  const options = h("div", { class: "options" });
  const rules = h("div", {});
  const faults = faultsPlace("edition");
  fill(place, heading("set_up.game_title", "set_up.game_text"), faults.place, options, rules, games,
    h("p", { class: "soft" }, say("set_up.own_board"), " ", h("a", { class: "help-link", href: "/boards" }, say("set_up.own_board_link"))));
  const take = async ({ id, board }) => (await choose("edition", { edition: id, board })) && next();
  return {
    show(view) {
      faults.show(view);
      showGames(games, view, resume);
      fillAnew(options, [view.editions, view.edition, view.game], () => view.editions.map((one) => option(`edition-${one.board}-${one.id}`, isChosen(one, view), () => take(one),
        h("strong", {}, one.title), one.is_own ? h("span", { class: "soft" }, say("set_up.own", { rules: (isChosen(one, view) ? view.edition : one).rules })) : null, one.other_rules.map((rule) => h("span", { class: "soft" }, sentence(rule))))));
      fillAnew(rules, [view.edition, view.game], () => (view.edition?.is_own && !view.game ? rulesChoice(view) : null));
    },
  };
}

function isChosen({ id, board, is_own: isOwn }, { edition, game }) {
  return !game && board === edition?.board && (isOwn || id === edition.id);
}

/** Return the choice of the box by whose rules a board of one's own is played. */
function rulesChoice({ edition, own_board_rules: boxes }) {
  const select = h("select", { id: "board-rules", "data-key": "board-rules", on: { change: () => choose("edition", { edition: select.value, board: edition.board }) } },
    Object.entries(boxes).map(([id, title]) => h("option", { value: id, selected: id === edition.id }, title)));
  return h("div", { class: "card rule" }, h("label", { for: "board-rules" }, say("set_up.board_rules", { board: edition.title })), select);
}

// Rules of the house: the few that people change, each as the rulebook has it unless it is put otherwise.

const RULES = {
  longest_path_bonus: "set_up.rule.longest_path_bonus",
  globetrotter_bonus: "set_up.rule.globetrotter_bonus",
  double_routes_open_from: "set_up.rule.double_routes_open_from",
  stations: "set_up.rule.stations",
  trains: "set_up.rule.trains",
  site_points: "set_up.rule.site_points",
  replaced_locomotive: "set_up.rule.replaced_locomotive",
};

/** Show the step. */
export function rulesStep(place) {
  const { rules, house_rules, players, any_number: isAnyNumber } = theSetUp();
  const chosen = { ...house_rules };
  const take = (name, value) => {
    chosen[name] = value;
    const { usual } = rules.find((rule) => rule.name === name);
    if (String(value) === String(usual)) delete chosen[name];
    return choose("house-rules", { house_rules: chosen });
  };
  fill(place, heading("set_up.rules", "set_up.rules_text"), rules.map((rule) => row(rule, chosen[rule.name] ?? rule.usual, take)),
    isAnyNumber ? h("div", { class: "card rule", "data-key": "rule-players" }, anyNumber(players)) : null);
  return { show: () => {} };
}

function row(rule, value, take) {
  const { name, kind, usual } = rule;
  const id = `rule-${name}`;
  const text = name in RULES ? say(RULES[name]) : name;
  const input = { switch: onOff, number: amount, numbers: amounts }[kind](rule, value, take, id);
  return h("div", { class: "card rule" }, h("label", { class: "switch", for: id }, h("span", {}, text), input), h("p", { class: "soft" }, inTheBook(rule)));
}

function inTheBook({ kind, usual }) {
  if (usual === false) return say("set_up.usual_off");
  return say(kind === "switch" ? "set_up.usual_points" : "set_up.usual", { n: [usual].flat().map(number).join(", ") });
}

function onOff({ name, least, most }, value, take, id) {
  const box = h("input", { type: "checkbox", role: "switch", id, "data-key": id, on: { change: () => take(name, box.checked ? most : least) } });
  box.checked = value !== least;
  return box;
}

function amount({ name, least, most }, value, take, id) {
  const field = h("input", { type: "number", class: "amount", id, "data-key": id, min: least, max: most, step: 1, required: true, on: { change: () => field.reportValidity() && take(name, Number(field.value)) } });
  field.value = value;
  return field;
}

/** Return a field for several numbers, with commas or spaces between them. */
function amounts({ name }, value, take, id) {
  const field = h("input", { id, "data-key": id, inputmode: "numeric", required: true, pattern: "\\s*\\d+([,\\s]+\\d+)*\\s*", on: { change: () => field.reportValidity() && take(name, field.value.match(/\d+/g).map(Number)) } });
  field.value = value.join(", ");
  return field;
}
