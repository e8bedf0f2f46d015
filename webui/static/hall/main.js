// The hall: all tables on one page, who needs somebody first.

import { patiently } from "../shared/api.js";
import { fill } from "../shared/dom.js";
import { languageChoice } from "../shared/phone.js";
import { comeInByLink } from "../shared/hosts.js";
import { toast } from "../shared/sheets.js";
import { watch } from "../shared/state.js";
import { openStream } from "../shared/stream.js";
import { say } from "../shared/words.js";
import { showIgnored } from "./ignored.js";
import { showList } from "./list.js";
import { showTrouble } from "./trouble.js";

const at = (id) => document.getElementById(id);

start();

async function start() {
  if (new URLSearchParams(location.search).get("view") === "big") return location.replace("/big");
  await comeInByLink(say("join.host"));
  await patiently(() => openStream("/hall"), (error) => toast(error.message || say("error.lost"), { isTrouble: true }));
  fill(at("own"), languageChoice());
  showTrouble(at("trouble"));
  showIgnored(at("ignored"));
  showList();
  watch((_, you) => [you.is_host], ([isHost]) => ([at("guest").hidden, at("results").hidden] = [isHost, !isHost]));
  document.body.dataset.ready = "yes";
  return null;
}
