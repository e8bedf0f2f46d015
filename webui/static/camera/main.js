// The phone that is the camera: it films over https, and sends photos one by one over http.

import { CallError, get, post } from "../shared/api.js";
import { s } from "../shared/dom.js";
import { canStayAwake, stayAwake } from "../shared/phone.js";
import { tellOfHttps } from "../shared/secure.js";
import { say, sayCount, sentence } from "../shared/words.js";
import { canFilm, Film, lenses, photoOf } from "./film.js";
import { Sender } from "./send.js";

const at = (id) => document.getElementById(id);
const CODE = /^#camera=(.+)$/;
const sender = new Sender({ onSight: showSight, onTrouble: complain });
const film = new Film(at("video"), () => stop());
let held = null; // the photo that is sent

start();

async function start() {
  const code = CODE.exec(location.hash);
  if (code) {
    history.replaceState(null, "", location.pathname);
    await post("/join", { token: decodeURIComponent(code[1]) }).catch((error) => complain(error.message));
  }
  try {
    showSight(await get("/frames"), false);
  } catch (error) {
    complain(why(error));
    document.body.dataset.ready = "no";
    return;
  }
  complain("");
  at(canFilm() ? "filming" : "posting").hidden = false;
  tellOfHttps(at("secure"));
  at("start").addEventListener("click", () => begin(at("lens").value));
  at("stop").addEventListener("click", stop);
  at("lens").addEventListener("change", () => begin(at("lens").value));
  at("photo").addEventListener("change", sendPhoto);
  document.addEventListener("visibilitychange", () => sender.isOn && canFilm() && (document.hidden ? complain(say("camera.hidden")) : begin(at("lens").value)));
  document.body.dataset.ready = "yes";
}

function why(error) {
  if (!(error instanceof CallError)) throw error;
  if (error.status === 404) return say("camera.no_phone");
  return error.status === 401 || error.status === 403 ? say("camera.not_you") : error.message;
}

/** Film, with a lens that was chosen or else the one at the back. */
async function begin(lens) {
  complain("");
  try {
    await film.open(lens);
  } catch (error) {
    complain(say("camera.refused", { why: error.name }));
    return stop();
  }
  await showLenses();
  show("video");
  at("start").hidden = true;
  at("stop").hidden = false;
  stayAwake();
  at("dark").hidden = canStayAwake();
  sender.send(() => film.picture(sender.quality), { kind: "film" });
}

function stop() {
  sender.stop();
  film.close();
  at("start").hidden = false;
  at("stop").hidden = true;
  at("view").hidden = true;
  at("state").textContent = say("camera.off");
}

async function showLenses() {
  const found = await lenses();
  at("lenses").hidden = found.length < 2;
  at("lens").replaceChildren(...found.map(({ deviceId, label }, i) => new Option(label || say("camera.lens_n", { n: i + 1 }), deviceId, false, deviceId === film.lens)));
}

/** Send a photo again and again for a while: what lies on the board is believed when it stays. */
async function sendPhoto() {
  const [file] = at("photo").files;
  if (!file) return;
  at("photo").value = "";
  try {
    held = await photoOf(file);
  } catch (error) {
    complain(say("camera.refused", { why: error.name }));
    return;
  }
  complain("");
  URL.revokeObjectURL(at("still").src);
  at("still").src = URL.createObjectURL(held);
  if (held === file) at("view").hidden = true;
  else show("still");
  sender.send(() => held, { kind: "photo", forMs: 30000 });
}

function show(what) {
  at("view").hidden = false;
  for (const one of ["video", "still"]) at(one).hidden = one !== what;
}

function complain(text) {
  if (at("problem").textContent === text) return;
  at("problem").textContent = text;
  at("problem").hidden = !text;
}

// What the table saw in the phone's picture: the board's outline, and what is in doubt.

const RADIUS = 0.022; // of the picture's width

/** Show what was seen; `isSending` tells whether pictures are on their way. */
function showSight({ outline, doubts, board, camera }, isSending) {
  const shown = at("video").hidden ? at("still") : at("video");
  const wide = shown.videoWidth || shown.naturalWidth || 16;
  const high = shown.videoHeight || shown.naturalHeight || 9;
  at("view").style.aspectRatio = `${wide} / ${high}`;
  const ring = ([x, y]) => s("ellipse", { class: "doubt", cx: x, cy: y, rx: RADIUS, ry: (RADIUS * wide) / high });
  at("marks").replaceChildren(
    ...(outline.length ? [s("polygon", { class: "outline", points: outline.map((point) => point.join(",")).join(" ") })] : []),
    ...doubts.map(ring),
  );
  document.body.dataset.sight = outline.length ? "found" : "none";
  at("state").textContent = isSending ? (outline.length ? say("camera.found") : sentence(board)) : sentence(camera);
  at("doubts").textContent = doubts.length ? sayCount("camera.doubts", doubts.length) : "";
}
