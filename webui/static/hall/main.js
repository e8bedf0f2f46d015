// The hall: all tables on one page, who needs somebody first.

import { fill } from "../shared/dom.js";
import { languageChoice } from "../shared/phone.js";
import { becomeHost, toast } from "../shared/sheets.js";
import { me, watch } from "../shared/state.js";
import { openStream } from "../shared/stream.js";
import { say } from "../shared/words.js";
import { showIgnored } from "./ignored.js";
import { showList } from "./list.js";
import { showTrouble } from "./trouble.js";

const at = (id) => document.getElementById(id);
const AGAIN_MS = 2000;

start();

async function start() {
  if (new URLSearchParams(location.search).get("view") === "big") return location.replace("/big");
  const hadLink = location.hash.startsWith("#host=");
  const isLet = await becomeHost();
  await patiently(() => openStream("/hall"));
  if (hadLink && isLet && me().is_host) toast(say("join.host"));
  fill(at("own"), languageChoice());
  showTrouble(at("trouble"));
  showIgnored(at("ignored"));
  showList();
  watch((_, you) => [you.is_host], (isHost) => ([at("guest").hidden, at("results").hidden] = [isHost, !isHost]));
  document.body.dataset.ready = "yes";
  return null;
}

/** A page that was opened before its server ran waits for it. */
async function patiently(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      toast(error.message || say("error.lost"), { isTrouble: true });
      await new Promise((go) => setTimeout(go, AGAIN_MS));
    }
  }
}
