// Sending pictures to the table, one after the other: the next when the last was taken.

import { address } from "../shared/api.js";
import { number, say } from "../shared/words.js";

const EVERY_MS = 300;
const AGAIN_MS = 1500;
const PATIENCE_MS = 10000;
const BEST = 0.88;
const WORST = 0.5;

const rest = (ms) => new Promise((go) => setTimeout(go, ms));

export class Sender {
  constructor({ onSight, onTrouble }) {
    this.onSight = onSight;
    this.onTrouble = onTrouble;
    this.quality = BEST;
    this.turn = 0; // whoever sends last sends alone
    this.isOn = false;
    this.sent = 0;
  }

  stop() {
    this.turn += 1;
    this.isOn = false;
  }

  /** Send what `picture()` gives until it is stopped, or something else is sent. */
  async send(picture, { kind, forMs = Infinity }) {
    const turn = ++this.turn;
    const until = performance.now() + forMs;
    this.isOn = true;
    while (turn === this.turn && performance.now() < until) {
      const began = performance.now();
      const jpeg = await picture();
      const restMs = jpeg ? await this.#post(jpeg, kind, turn) : 0;
      await rest(Math.max(restMs, EVERY_MS - (performance.now() - began)));
    }
  }

  /** Send one picture; return how long to wait before the next. */
  async #post(jpeg, kind, turn) {
    let response;
    try {
      response = await fetch(address(`/frames?kind=${kind}`), { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: jpeg, signal: AbortSignal.timeout(PATIENCE_MS) });
    } catch {
      if (turn === this.turn) this.onTrouble(say("camera.lost"));
      return AGAIN_MS;
    }
    const answer = await response.json().catch(() => ({}));
    if (turn !== this.turn) return 0;
    if (response.ok) {
      this.sent += 1;
      document.getElementById("count").textContent = say("camera.taken", { n: number(this.sent) });
      this.onTrouble("");
      this.onSight(answer, true);
      return 0;
    }
    if (response.status === 429) return 1000 * (answer.retry_after_s ?? 1);
    if (response.status === 413) this.quality = Math.max(WORST, this.quality * 0.8);
    this.onTrouble(response.status === 401 || response.status === 403 ? say("camera.not_you") : answer.error?.message ?? say("error.other"));
    return AGAIN_MS;
  }
}
