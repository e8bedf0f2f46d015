// Small tones, made on the spot. Off until somebody asks for them, as this device remembers.

const TONES = {
  claim: [[523, 0], [784, 0.09]],
  question: [[659, 0], [587, 0.14]],
  last: [[392, 0], [392, 0.2], [523, 0.4]],
  winner: [[523, 0], [659, 0.12], [784, 0.24], [1047, 0.4]],
  tick: [[880, 0]],
};
const LOUD = 0.06;
const LONG_S = 0.25;

let context = null;

/** Browsers let a page sound only after a tap: the switch itself is one. */
export function play(name) {
  if (!setting("sounds").get()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const [hertz, afterS] of TONES[name]) tone(hertz, context.currentTime + afterS);
}

function tone(hertz, atS) {
  const loud = context.createGain();
  loud.gain.setValueAtTime(0, atS);
  loud.gain.linearRampToValueAtTime(LOUD, atS + 0.01);
  loud.gain.exponentialRampToValueAtTime(0.0001, atS + LONG_S);
  const voice = context.createOscillator();
  voice.type = "triangle";
  voice.frequency.value = hertz;
  voice.connect(loud).connect(context.destination);
  voice.start(atS);
  voice.stop(atS + LONG_S);
}

// What this device likes, kept in its own browser.

const PREFIX = "railspotter.";

/** Return a switch that stays as it was put; off where the browser keeps nothing. */
export function setting(name) {
  return {
    get: () => {
      try {
        return localStorage.getItem(PREFIX + name) === "on";
      } catch {
        return false;
      }
    },
    set: (isOn) => {
      try {
        localStorage.setItem(PREFIX + name, isOn ? "on" : "off");
      } catch {
        // a private window may refuse: then it holds until the page is closed
      }
    },
  };
}
