// The table's door, which a phone sees that is not known: it asks for the table's word, or is let in by the link that was scanned.

import { CallError, get, post } from "../shared/api.js";
import { codeForm, numberForm } from "../shared/becoming_host.js";
import { fill, h } from "../shared/dom.js";
import { languageChoice } from "../shared/phone.js";
import { say } from "../shared/words.js";

const LINK = /^#(?:host|join|camera)=([\w-]+)$/;
const GUEST = /^#guest=(.+)$/;
const at = (id) => document.getElementById(id);

start();

async function start() {
  addEventListener("hashchange", () => location.reload());
  const [, guest] = GUEST.exec(location.hash) ?? [];
  const query = new URLSearchParams(location.search);
  // A guest link is exchanged for nothing: the page itself is asked for with its token, as its calls are.
  if (guest && query.get("guest") !== decodeURIComponent(guest)) {
    query.set("guest", decodeURIComponent(guest));
    return location.replace(`${location.pathname}?${query}${location.hash}`);
  }
  if (guest) complain(say("screen.taken_back"));
  const [, token] = LINK.exec(location.hash) ?? [];
  if (token) {
    history.replaceState(null, "", location.pathname + location.search);
    if (await tried(() => post("/join", { token }))) return enter();
  }
  at("own").append(languageChoice());
  const { has_host: hasHost } = await get("/host").catch(() => ({ has_host: true }));
  const word = { maxlength: 12, autocapitalize: "none", autocorrect: "off", spellcheck: "false" };
  const red = { class: "primary wide" };
  fill(at("forms"),
    hasHost ? null : h("section", { class: "card hero" }, h("h1", {}, say("hosts.whose")), numberForm((number) => come(() => post("/host", { number })), red)),
    h("section", { class: hasHost ? "card hero" : "card" }, h(hasHost ? "h1" : "h2", {}, say("door.title")), h("p", {}, say("door.text")),
      codeForm("word", say("door.label"), word, say("door.come_in"), (text) => come(() => post("/join", { token: text.replace(/\s/g, "") }), say("door.wrong")), hasHost ? red : {})));
  document.body.dataset.ready = "yes";
}

const come = async (act, wrong) => (await tried(act, wrong)) && enter();

/** Do something and tell whether it was not refused; why it was is shown, `wrong` where something wrong was typed. */
async function tried(act, wrong = "") {
  complain("");
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    complain(error.code === "old" && wrong ? wrong : error.message);
    return false;
  }
}

function complain(text) {
  at("trouble").hidden = !text;
  at("trouble").textContent = text;
}

/** Open the page that was wanted: it knows this phone now. What stands behind the # may be a game of cards. */
function enter() {
  const query = new URLSearchParams(location.search);
  query.delete("guest");
  query.delete("word");
  history.replaceState(null, "", location.pathname + (query.size ? `?${query}` : "") + (GUEST.test(location.hash) ? "" : location.hash));
  // A form that was sent is not sent again.
  if (location.hash) location.reload();
  else location.replace(location.href);
}
