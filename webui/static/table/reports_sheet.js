// Pictures and reports that are kept on the computer: the host looks at them, saves one as a file, deletes it.

import { address, get, remove } from "../shared/api.js";
import { button, h } from "../shared/dom.js";
import { who } from "../shared/names.js";
import { attempt, openSheet } from "../shared/sheets.js";
import { dayAndTime, say } from "../shared/words.js";
import { filmParts } from "./film.js";

/** Open the list. */
export async function openReports() {
  let reports = await attempt(() => get("/reports"));
  if (!reports) return;
  let films = [];
  const stop = () => films.forEach((film) => film.stop());
  const sheet = openSheet(say("report.title"), () => {
    stop();
    films = [];
    return [h("p", { class: "soft" }, say("report.text")), reports.length ? reports.map(card) : h("p", {}, say("report.none"))];
  }, { name: "tall", onClose: stop });

  function card(report) {
    return h("section", { class: "card" }, h("h3", {}, report.name), h("p", { class: "soft" }, dayAndTime(report.at_s)),
      h("p", {}, say("report.said", { said: who(report.said) }), " ", report.is_misread ? say("report.true", { true: who(report.true) }) : ""),
      h("div", {}, pictures(report)),
      h("div", { class: "choices" },
        h("a", { class: "button", href: address(`/reports/${report.id}`), download: "" }, say("report.save")),
        button(`delete-${report.id}`, say("report.delete"), () => take(report), { class: "danger" })));
  }

  function pictures({ name, film }) {
    if (!film.pictures.length) return null;
    const shown = h("span", { class: "spot-figure" }, h("img", { src: address(film.pictures[0]), alt: say("film.picture", { spot: name }), loading: "lazy" }));
    shown.style.setProperty("--shape", String(film.shown_mm[2] / film.shown_mm[3]));
    films.push(filmParts(film, shown));
    return films.at(-1).all;
  }

  async function take({ id }) {
    if ((await attempt(() => remove(`/reports/${id}`), say("report.gone"))) === null) return;
    reports = reports.filter((one) => one.id !== id);
    sheet.refresh();
  }
}
