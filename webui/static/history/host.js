// What only the host may do with past games: take one in, take one out whole, delete one.

import { address, get, remove, sendFile } from "../shared/api.js";
import { button, h } from "../shared/dom.js";
import { comeInByLink } from "../shared/hosts.js";
import { attempt, confirmSheet, toast } from "../shared/sheets.js";
import { me, setYou } from "../shared/state.js";
import { say } from "../shared/words.js";

/** Become the host, where the page was opened by the host's link, and know who this phone is. */
export async function comeIn() {
  await comeInByLink(say("join.host"));
  setYou(await get("/you"));
}

/** Return what takes games in, for the host; for others how one becomes it. */
export function takeInCard(done) {
  if (!me().is_host) return h("p", { class: "soft" }, say("history.host_only"));
  const input = h("input", { type: "file", id: "bundle", accept: ".railspotter", "data-key": "bundle", on: { change: () => input.files.length && takeIn(input, done) } });
  return h("section", { class: "card" },
    h("h2", {}, h("label", { for: "bundle" }, say("history.take_in"))),
    h("p", { class: "soft", id: "bundle-help" }, say("history.take_in_text")),
    input,
    h("p", { id: "bundle-problem", class: "problem", role: "alert", hidden: true }));
}

const REFUSED = { 409: "history.here", 413: "history.too_large" };

async function takeIn(input, done) {
  const problem = document.getElementById("bundle-problem");
  const [file] = input.files;
  problem.hidden = true;
  try {
    const answer = await sendFile("POST", "/games", file);
    toast(say("history.taken_in"));
    done(answer.id);
  } catch (error) {
    if (error.status === undefined) throw error;
    problem.textContent = error.status in REFUSED ? say(REFUSED[error.status]) : error.message;
    problem.hidden = false;
  }
  input.value = "";
}

/** Return the buttons for one game's file and for its end. */
export function hostButtons(id, name, isOver) {
  if (!me().is_host) return [];
  const path = `/games/${id}/bundle`;
  // Asked for first: a link that is refused, as while the game is played, downloads nothing and says nothing.
  const save = async () => (await attempt(() => get(path))) && location.assign(address(path));
  return [
    isOver ? button("bundle", say("history.bundle"), save) : null, // before, it would tell all secrets
    button("delete", say("history.delete"), () => askToDelete(id, name), { class: "danger" }),
  ];
}

function askToDelete(id, name) {
  confirmSheet(say("history.delete_title", { name }), say("history.delete_text"), say("history.delete"), async () => {
    try {
      await remove(`/games/${id}`);
      location.assign("/history");
    } catch (error) {
      if (error.status === undefined) throw error;
      toast(error.status === 409 ? say("history.in_use") : error.message, { isTrouble: true });
    }
  });
}
