// The hall: all tables on one page, who needs somebody first.

import { becomeHost } from "../shared/attempts.js";
import { fill } from "../shared/dom.js";
import { languageChoice } from "../shared/phone.js";
import { toast } from "../shared/sheets.js";
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
  offerTournament(at("tournament"));
  watch((_, you) => [you.is_host], (isHost) => (at("guest").hidden = isHost));
  document.body.dataset.ready = "yes";
  return null;
}

/** Offer the tournament, where there is one or this is the host; few open it, so it is fetched when it is opened. */
function offerTournament(details) {
  watch((state, you) => [state.tournament, you.is_host], (version, isHost) => (details.hidden = !version && !isHost));
  let isFetched = false;
  details.addEventListener("toggle", async () => {
    if (!details.open || isFetched) return;
    isFetched = true;
    try {
      await (await import("./tournament.js")).showTournament(at("tournament-part"));
    } catch {
      [isFetched, details.open] = [false, false];
      toast(say("error.lost"), { isTrouble: true });
    }
  });
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
