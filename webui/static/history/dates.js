// Days and times of day, as the language writes them.

const language = document.documentElement.lang;

/** Return the day of a moment. */
export function day(atS) {
  return new Date(atS * 1000).toLocaleDateString(language, { dateStyle: "medium" });
}

/** Return the day and the time of a moment. */
export function dayAndTime(atS) {
  return new Date(atS * 1000).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}
