// The code for the wall, on one sheet of paper: who scans it, or types its address and word, is at the table.

import { get } from "../shared/api.js";
import { codePicture } from "../shared/dom.js";
import { say } from "../shared/words.js";

const at = (id) => document.getElementById(id);

start();

async function start() {
  at("print").addEventListener("click", () => print());
  const codes = await get("/codes").catch((error) => error);
  const trouble = codes instanceof Error ? codes.message : codes.is_local ? say("word.local") : "";
  at("trouble").hidden = !trouble;
  at("trouble").textContent = trouble;
  at("paper").hidden = at("print").hidden = Boolean(trouble);
  if (!trouble) {
    at("code").replaceChildren(codePicture(codes.join.svg, say("join.code")));
    // The network may know the table by a name; a phone that does not find it needs the number.
    const number = codes.join.url.split("#")[0];
    at("address").textContent = codes.named ?? number;
    at("number").textContent = codes.named ? number : "";
    at("word").textContent = codes.word;
  }
  document.body.dataset.ready = "yes";
}
