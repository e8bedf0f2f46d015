// Tickets by camera: the photo goes to the table's computer, and only this phone learns what lies there. Each is mended with a tap before it is kept.

import { sendPhotos } from "../shared/api.js";
import { button, fill, h, photoButton } from "../shared/dom.js";
import { endsName, nameOf } from "../shared/names.js";
import { openSheet } from "../shared/sheets.js";
import { now } from "../shared/state.js";
import { number, say, sayCount } from "../shared/words.js";

/** Return the address of a JPEG in base64, in this page's memory. */
const pictureOf = (base64) => URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], { type: "image/jpeg" }));

const keyOf = ({ a, b }) => [a, b].sort().join("--");

/** Send photos of tickets, and open what was read; `keep(ticket)` puts one into the hand and says whether that worked, `search(held, keep)` opens the list. */
export function openTicketPhoto(path, photos, held, keep, search) {
  const rows = new Map(); // by their tickets, or a number while it is not said which
  const away = new AbortController();
  const isHeld = (ticket) => held.some((one) => keyOf(one) === keyOf(ticket));
  let doubts = 0;
  let trouble = "";
  let isReading = false;

  const open = () => [...rows.values()].filter((row) => !row.ticket);
  const chosen = () => [...rows.values()].filter((row) => row.ticket && row.isRight && !isHeld(row.ticket));

  async function read(files) {
    isReading = true;
    trouble = "";
    sheet.refresh();
    try {
      const seen = await sendPhotos(path, files, away.signal);
      for (const ticket of seen.tickets) add({ ticket, crop: pictureOf(ticket.crop), isRight: true });
      for (const doubt of seen.doubts) add(doubt.likeliest.some((one) => rows.has(keyOf(one))) ? null : { ...doubt, crop: pictureOf(doubt.crop), ticket: null });
      if (!rows.size) trouble = say("ticket_photo.nothing");
    } catch (error) {
      if (away.signal.aborted) return;
      trouble = error.message;
    }
    isReading = false;
    sheet.refresh();
    sheet.dialog.querySelector("h2").focus({ preventScroll: true });
  }

  function add(row) {
    if (!row) return;
    const shownBy = row.ticket && now().players.find(({ tickets }) => tickets.some((one) => keyOf(one) === keyOf(row.ticket)));
    // Who has shown it has it; it may lie in the deck twice.
    if (shownBy && !isHeld(row.ticket)) Object.assign(row, { why: say("ticket_photo.shown_by", { name: nameOf(shownBy) }), likeliest: [row.ticket], ticket: null });
    const key = row.ticket ? keyOf(row.ticket) : `doubt-${++doubts}`;
    if (!rows.has(key)) rows.set(key, { ...row, key });
  }

  /** Say which ticket a row is, or that it is none. */
  function settle(row, ticket) {
    rows.delete(row.key);
    if (ticket) add({ ticket, crop: row.crop, isRight: true });
    sheet.refresh();
    return true;
  }

  async function keepAll() {
    for (const { ticket } of chosen()) if (!(await keep(ticket))) return;
    sheet.close();
  }

  const crop = (row) => row.crop ? h("img", { class: "ticket-crop", alt: "", src: row.crop }) : null;
  const other = (row) => button(`other-${row.key}`, say("ticket_photo.other"), () => search([...held, ...chosen().map(({ ticket }) => ticket)], (ticket) => settle(row, ticket)), { class: "quiet" });

  function readRow(row) {
    const box = h("input", { type: "checkbox", id: `read-${row.key}`, "data-key": `read-${row.key}`, disabled: isHeld(row.ticket), on: { change: () => ((row.isRight = box.checked), sheet.refresh()) } });
    box.checked = row.isRight;
    return h("li", { class: "card read-ticket" }, crop(row),
      h("label", { class: "switch", for: box.id }, h("span", {}, endsName(row.ticket), " ", h("span", { class: "soft" }, isHeld(row.ticket) ? say("ticket_photo.held") : sayCount("count.points", row.ticket.points))), box),
      isHeld(row.ticket) ? null : other(row));
  }

  const doubtRow = (row) => h("li", { class: "problem read-ticket", "data-mood": "heed" }, crop(row), h("p", {}, row.why),
    h("div", { class: "stack" }, row.likeliest.map((ticket) => button(`likely-${row.key}-${keyOf(ticket)}`, [h("span", {}, endsName(ticket)), h("span", { class: "sum" }, number(ticket.points))], () => settle(row, ticket), { class: "wide result" }))),
    h("div", { class: "choices" }, other(row), button(`none-${row.key}`, say("ticket_photo.none"), () => settle(row, null), { class: "quiet" })));

  function body() {
    if (isReading) return [h("p", { role: "status" }, say("ticket_photo.reading")), h("progress", { class: "wide", "aria-label": say("ticket_photo.reading") }), button("cancel", say("ticket_photo.cancel"), () => sheet.close(), { class: "wide" })];
    const [ready, waiting] = [chosen(), open()];
    return [
      trouble ? h("p", { class: "problem", role: "status" }, trouble) : null,
      rows.size ? h("p", { class: "soft", role: "status" }, [sayCount("ticket_photo.read", rows.size - waiting.length), waiting.length ? sayCount("ticket_photo.doubts", waiting.length) : ""].filter(Boolean).join(" ")) : null,
      h("ul", { class: "plain" }, [...waiting.map(doubtRow), ...[...rows.values()].filter((row) => row.ticket).map(readRow)]),
      photoButton("more-photo", say(rows.size ? "ticket_photo.more" : "ticket_photo.again"), read, rows.size ? { class: "button photo-button wide" } : {}),
      button("from-list", say("ticket_photo.list"), () => search([...held, ...chosen().map(({ ticket }) => ticket)], (ticket) => (add({ ticket, crop: "", isRight: true }), sheet.refresh(), true)), { class: "wide" }),
      rows.size ? h("div", { class: "foot" }, waiting.length ? h("p", { class: "soft" }, say("ticket_photo.first")) : null,
        button("keep-read", sayCount("ticket_photo.keep", ready.length), keepAll, { class: "primary wide", disabled: waiting.length > 0 || !ready.length })) : null,
    ];
  }

  let sheet = { refresh: () => {} };
  sheet = openSheet(say("ticket_photo.title"), body, { name: "tall", onClose: () => away.abort() });
  fill(sheet.dialog.querySelector(".sheet-body"), body());
  read(photos);
}
