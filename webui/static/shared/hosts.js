// Who comes in by a link, and who runs the table: a host's phone lets another one be a host's too.

import { post } from "./api.js";
import { button, h } from "./dom.js";
import { attempt, openSheet } from "./sheets.js";
import { me } from "./state.js";
import { say } from "./words.js";

const LINK = /^#(host|join)=([\w-]+)$/;
const asked = new Set(); // requests that this phone was shown, or whose sheet it closed

/** Ask the host about each phone that wants to be one too, once. */
export function askAboutHosts() {
  for (const { id, name } of me().asking ?? []) {
    if (asked.has(id)) continue;
    asked.add(id);
    openSheet(say("hosts.title", { name }), (sheet) => [
      h("p", {}, say("hosts.text")),
      h("div", { class: "choices" }, answer(sheet, id, "yes", say("hosts.yes")), answer(sheet, id, "no", say("hosts.no"))),
    ]);
  }
}

function answer(sheet, id, said, text) {
  const send = () => (sheet.close(), attempt(() => post(`/host/requests/${id}`, { said })));
  return button(`host-${said}`, text, send, { class: said === "yes" ? "primary" : null });
}

/** Come in by the link that the page was opened by; who is the host now is told so by `done`. Tell whether nothing was refused. */
export async function comeInByLink(done = "") {
  // A link that is put into an open page's address changes only what stands behind the #.
  addEventListener("hashchange", () => LINK.test(location.hash) && location.reload());
  const [, kind, token] = LINK.exec(location.hash) ?? [];
  if (!token) return true;
  history.replaceState(null, "", location.pathname + location.search);
  return (await attempt(() => post("/join", { token }), kind === "host" ? done : "")) !== null;
}
