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
