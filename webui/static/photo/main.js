// A photo of the board: one button opens the phone's camera, and choosing the picture sends it. While it is read the
// page says what is being done; then the game goes on at the table's page.

import { address, get, getPatiently, post, sendPhotos } from "../shared/api.js";
import { cornerRings } from "../shared/corner_rings.js";
import { button, fill, h, photoButton } from "../shared/dom.js";
import { announce } from "../shared/sheets.js";
import { setYou } from "../shared/state.js";
import { say, sayCount } from "../shared/words.js";

const LOOK_MS = 1000;
const MOST_BYTES = 64 * 2 ** 20;
const STEPS = { sent: "photo.step_sent", board: "photo.step_board", routes: "photo.step_routes" };
const CORNERS = ["photo.corner_top_left", "photo.corner_top_right", "photo.corner_bottom_right", "photo.corner_bottom_left"];
const TIPS = ["photo.tip_corners", "photo.tip_hands", "photo.tip_light"];
const place = document.getElementById("photo");

start();

async function start() {
  setYou(await getPatiently("/you"));
  const { phase, game } = await getPatiently("/table");
  const isMore = phase === "game" && (await getPatiently("/state")).game.origin === "photo";
  if (phase === "home" || isMore) showShutter("", isMore);
  else fill(place, card(say("photo.title"), h("p", {}, say(game ? "photo.game_runs" : "photo.busy")), h("a", { class: "button wide", href: "/" }, say("photo.to_table"))));
  document.body.dataset.ready = "yes";
}

const card = (title, ...parts) => h("section", { class: "card hero", "aria-labelledby": "photo-title" }, h("h1", { id: "photo-title" }, title), parts);

/** Ask for a photo; the fields open the phone's camera and its pictures, and what is chosen is sent. */
function showShutter(problem, isMore = false) {
  const take = (files) => send(files, isMore);
  fill(place,
    problem ? h("div", { class: "problem", role: "alert" }, h("p", {}, problem)) : null,
    card(say(isMore ? "photo.more_title" : "photo.title"),
      h("p", {}, say(isMore ? "photo.more_text" : "photo.text")),
      h("ul", {}, TIPS.map((tip) => h("li", {}, say(tip)))),
      photoButton("shutter", say("photo.open_camera"), take, { class: "button photo-button primary shutter" }),
      photoButton("gallery", say("photo.from_gallery"), take, { class: "button photo-button wide quiet" }, false),
      isMore ? h("a", { class: "button wide quiet", href: "/" }, say("photo.to_table")) : null));
}

async function send(files, isMore) {
  if (files.reduce((sum, file) => sum + file.size, 0) > MOST_BYTES) return showShutter(say("error.too_large"), isMore);
  const ticket = crypto.getRandomValues(new Uint32Array(4)).join("-");
  await follow(files, ticket, () => sendPhotos(`/photos?ticket=${ticket}`, files), isMore);
}

/** Show what is being done with photos until it is; then go to the game, or say what is wrong. */
async function follow(files, ticket, ask, isMore) {
  const steps = h("ol", { class: "photo-steps" });
  const how = h("p", { class: "soft", role: "status" });
  const own = files.length ? h("img", { class: "own-photo", alt: say("photo.own"), src: URL.createObjectURL(files[0]) }) : null;
  own?.addEventListener("error", () => own.remove()); // a browser may not know the format
  fill(place, card(say("photo.reading"), own, steps, how, h("progress", { "aria-label": say("photo.reading") }), h("p", { class: "soft" }, say("photo.meanwhile"))));
  announce(say("photo.reading"));
  const show = (step, said) => {
    const at = Object.keys(STEPS).indexOf(step);
    fill(steps, Object.values(STEPS).map((key, i) => h("li", { class: i < at ? "is-done" : "", "aria-current": i === at ? "step" : null }, say(key))));
    if (how.textContent !== said) how.textContent = said;
  };
  show("sent", "");
  const timer = setInterval(async () => {
    const { reading } = await get(`/photos/reading?ticket=${ticket}`).catch(() => ({}));
    if (reading) show(reading.step, reading.before ? sayCount("photo.before", reading.before) : sayCount("photo.seconds", reading.seconds));
  }, LOOK_MS);
  try {
    await goOn(await ask());
  } catch (error) {
    showShutter(error.code === "lost" ? say("photo.lost") : error.message, isMore);
    if (error.body?.unfound) showCorners(error.body, isMore);
  } finally {
    clearInterval(timer);
  }
}

/** The game begins at the table a moment later; none does where another began meanwhile. */
async function goOn({ id, page }) {
  if (!id) return location.assign("/");
  for (;;) {
    const table = await getPatiently("/table");
    if (table.game === id) return location.assign(page);
    await new Promise((go) => setTimeout(go, 200));
  }
}

/** Ask where the board is in a photo in which none was found. */
function showCorners({ unfound, boards }, isMore) {
  const href = address(`/photos/${unfound}/photo.jpg`);
  const picture = new Image();
  picture.addEventListener("load", () => {
    const names = CORNERS.map((key) => say(key));
    const rings = cornerRings({ href, size: [picture.naturalWidth, picture.naturalHeight], corners: [], names, label: say("photo.corners_label") });
    const which = Object.entries(boards);
    const board = which.length ? h("select", { id: "board" }, which.map(([id, title]) => h("option", { value: id }, title))) : null;
    const read = () => follow([], "photo", () => post(`/photos/${unfound}/corners`, { corners_px: rings.corners, board: board?.value ?? null }, new AbortController().signal), isMore);
    place.append(h("section", { class: "card", "aria-labelledby": "corners-title" },
      h("h2", { id: "corners-title" }, say("photo.corners_title")), h("p", {}, say("photo.corners_text")), rings.all,
      board ? [h("label", { for: "board" }, say("photo.which_board")), board] : null,
      button("read-there", say("photo.read_there"), read, { class: "wide" })));
  });
  picture.src = href;
}
