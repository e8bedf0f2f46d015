// The third step: where the picture comes from, and that picture, live.

import { showCalibration } from "../calibration/calibration.js";
import { get } from "../shared/api.js";
import { codePicture, fill, fillAnew, h, setText } from "../shared/dom.js";
import { lettingIn } from "../shared/letting_in.js";
import { say, sentence } from "../shared/words.js";
import { choose, lookAgain, trying } from "./choices.js";
import { faultsPlace, gapsPlace, heading, isAddress, livePicture, option, showExtras, showGames, sourceInShort } from "./parts.js";

/** Show the step; a choice goes on by itself as soon as there is a picture. */
export function cameraStep(place, { next, foot }) {
  let awaited = null; // what was chosen here and gave no picture yet
  let code = null; // the link that the code shows
  const options = h("div", { class: "options" });
  const address = h("input", { id: "camera-address", type: "url", required: true, autocomplete: "off", placeholder: "http://192.168.1.20:8080/video" });
  const toAllow = h("p", { class: "soft" }, say("set_up.address_text"));
  const naming = h("form", { class: "stack", hidden: true, on: { submit: (event) => (event.preventDefault(), take(address.value.trim())) } },
    h("label", { for: "camera-address" }, say("set_up.address_name")), address, h("button", { type: "submit", class: "wide" }, say("set_up.address_use")));
  const phone = h("section", { class: "card", hidden: true });
  const told = h("p", { class: "source-said", role: "status" });
  const picture = livePicture();
  fill(place, heading("set_up.camera_title", "set_up.camera_text"), options, toAllow, naming, phone, told, picture.place);

  /** An answer that comes too late for this page comes with the next look. */
  function take(source) {
    awaited = source;
    return choose("source", { source });
  }

  function draw({ cameras, source }) {
    const isChosen = (name) => source?.given === name;
    fillAnew(options, [cameras, source?.given], () => [
      option("source-phone", isChosen("phone"), () => take("phone"), h("strong", {}, say("set_up.phone")), h("span", { class: "soft" }, say("set_up.phone_text"))),
      cameras.map((camera) => option(`source-${camera.source}`, isChosen(camera.source), () => take(camera.source), h("strong", {}, camera.about || say("set_up.camera_n", { n: camera.source })), h("span", { class: "soft" }, say(isAddress(camera.source) ? "set_up.address" : "set_up.here")))),
      option("source-none", isChosen("none"), () => take("none"), h("strong", {}, say("set_up.camera_none")), h("span", { class: "soft" }, say("set_up.camera_none_text"))),
      option("source-demo", isChosen("demo"), () => take("demo"), h("strong", {}, say("set_up.demo")), h("span", { class: "soft" }, say("set_up.demo_text"))),
    ]);
  }

  return {
    show(view) {
      const { source } = view;
      draw(view);
      naming.hidden = !view.can_name;
      toAllow.hidden = view.can_name || view.cameras.some((camera) => isAddress(camera.source));
      const isPhone = source?.given === "phone";
      phone.hidden = !isPhone || source.has_picture;
      if (isPhone && code !== view.camera_link) showCode((code = view.camera_link), view.can_film);
      setText(told, source?.has_camera ? sentence(source.said) : "");
      told.classList.toggle("problem", Boolean(source?.is_over));
      picture.show(Boolean(source?.has_picture), sourceInShort(view));
      const isDone = Boolean(source) && (source.has_picture || !source.has_camera);
      foot.next.hidden = !isDone; // what is red is what is to be done next
      // Until the answer is there, what is told is the source before.
      if (isDone && awaited === source.given) {
        awaited = null;
        next();
      }
    },
    stop: () => picture.show(false),
  };

  /** The link works once: where another one is valid, its code is asked for. */
  async function showCode(link, canFilm) {
    const codes = await trying(() => get("/codes"));
    if (code !== link || !codes?.camera) return;
    if (codes.is_local) {
      fill(phone, h("h2", {}, say("set_up.phone_in")), lettingIn(codes, codes.camera.url, () => showCode(link, canFilm)));
      return bringIntoSight();
    }
    fill(phone, h("h2", {}, say("set_up.phone_scan")), codePicture(codes.camera.svg, say("set_up.phone_code"), bringIntoSight), h("p", { class: "link" }, codes.camera.url), h("p", { class: "soft" }, say(canFilm ? "set_up.phone_put" : "set_up.phone_no_film")));
  }

  /** What is to be done next is not under the buttons at the bottom. */
  function bringIntoSight() {
    if (awaited) phone.scrollIntoView({ block: "nearest" });
  }
}

// The fourth step: where the board is in the picture. Most find it by themselves; then the game can begin.

/** Show the step. */
export function boardStep(place, { go, foot, resume }) {
  const board = h("div", {});
  const faults = faultsPlace("calibration");
  const gaps = gapsPlace();
  const extras = h("div", {});
  const games = h("div", {});
  fill(place, heading("set_up.board_title", "set_up.board_text"), faults.place, gaps.place, board, extras, games);
  const shown = showCalibration(board, { onChange: lookAgain });
  return {
    show(view) {
      faults.show(view);
      gaps.show(view);
      foot.next.disabled = !view.may_begin;
      showExtras(extras, view, go);
      extras.hidden = !view.may_begin;
      showGames(games, view, resume);
      games.hidden = !view.game;
    },
    stop: () => shown.stop(),
  };
}
