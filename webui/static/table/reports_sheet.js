// Pictures and reports that are kept on the computer: the host looks at them, saves one as a file, deletes it.

import { address, get, remove } from "../shared/api.js";
import { button, fill, h } from "../shared/dom.js";
import { who } from "../shared/names.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { dayAndTime, say } from "../shared/words.js";
import { filmParts } from "./film.js";

/** Open the list. */
export async function openReports() {
  const told = await attempt(() => get("/reports"));
  if (!told) return;
  let { reports } = told;
  const films = [];
  const stop = () => films.splice(0).forEach((film) => film.stop());
  const sheet = openSheet(say("report.title"), () => {
    stop();
    return [h("p", { class: "soft" }, say("report.text")), reports.length ? reports.map(card) : h("p", {}, say("report.none"))];
  }, { name: "tall", onClose: stop });

  function card(report) {
    const place = h("div", {});
    const look = async () => {
      const whole = await attempt(() => get(`/reports/${report.id}`));
      if (!whole) return;
      films.push(filmParts(whole.film, (src) => pictureOf(whole, src)));
      fill(place, films.at(-1).all);
    };
    fill(place, button(`see-${report.id}`, say("film.button"), look, { class: "wide" }));
    return h("section", { class: "card" }, h("h3", {}, report.name), h("p", { class: "soft" }, dayAndTime(report.at_s)),
      h("p", {}, say("report.said", { said: who(report.said) }), " ", report.is_misread ? say("report.true", { true: who(report.true) }) : ""),
      place,
      h("div", { class: "choices" },
        h("a", { class: "button", href: address(`/reports/${report.id}`), download: "" }, say("report.save")),
        button(`delete-${report.id}`, say("report.delete"), () => take(report), { class: "danger" })));
  }

  function pictureOf({ name, film: { shown_mm: [, , width, height] } }, src) {
    const shown = h("span", { class: "spot-figure" }, h("img", { src, alt: say("film.picture", { spot: name }) }));
    shown.style.setProperty("--shape", String(width / height));
    return shown;
  }

  async function take({ id }) {
    if ((await attempt(() => remove(`/reports/${id}`), say("report.gone"))) === null) return;
    reports = reports.filter((one) => one.id !== id);
    sheet.refresh();
  }
}
