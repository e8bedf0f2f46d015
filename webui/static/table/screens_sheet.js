// The host's link for a television or a stream: made, shown as a code, made anew, taken back.

import { get, post, remove } from "../shared/api.js";
import { button, codePicture, h } from "../shared/dom.js";
import { lettingIn } from "../shared/letting_in.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { learn, say } from "../shared/words.js";

/** Open what the host does with the link. */
export async function openScreens() {
  let links = await attempt(async () => (await Promise.all([get("/guest-link"), learn("guest")]))[0]);
  if (!links) return;
  const sheet = openSheet(say("guest.title"), () => [h("p", {}, say("guest.text")), links.is_out ? shown() : button("guest-make", say("guest.make"), () => take(post), { class: "primary wide" })]);

  async function take(ask, done = "") {
    links = (await attempt(() => ask("/guest-link"), done)) ?? links;
    sheet.refresh();
  }

  function shown() {
    return [
      links.is_local ? lettingIn(links, links.screen.url, async () => ((links = (await attempt(() => get("/guest-link"))) ?? links), sheet.refresh())) : null,
      h("h3", {}, say("guest.screen")), h("p", { class: "soft" }, say("guest.screen_text")),
      links.is_local ? null : codePicture(links.screen.svg, say("guest.code")),
      address(links.screen.url),
      h("h3", {}, say("guest.overlay")), h("p", { class: "soft" }, say("guest.overlay_text")),
      address(links.overlay.url),
      h("div", { class: "choices" },
        button("guest-renew", say("guest.renew"), () => take(post, say("guest.renewed"))),
        button("guest-take-back", say("guest.take_back"), () => take(remove, say("guest.taken_back")), { class: "danger" })),
    ];
  }
}

const address = (url) => h("p", { class: "link" }, h("a", { href: url, target: "_blank", rel: "noopener" }, url));
