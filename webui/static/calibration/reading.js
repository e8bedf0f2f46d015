// What the running game believes to lie on the board, by route.

/** Return the colour of each claimed route or site, and which of them are asked about. */
export function readingOf(state) {
  const claims = {};
  for (const [spot, { colour }] of Object.entries(state.spots)) if (colour) claims[idOf(spot)] = colour;
  return { claims, asked: state.questions.map((question) => question.about) };
}

const idOf = (spot) => spot.slice(spot.indexOf(":") + 1);
