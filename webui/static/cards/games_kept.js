// The games that this phone has a link to, kept in its own browser.

const NAME = "railspotter.card-games";
const MOST = 20;

export function keptGames() {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(kept) ? kept.filter((game) => /^[0-9a-f]{32}$/.test(game?.id)) : [];
  } catch {
    return [];
  }
}

export function keepGame(id, who) {
  store([{ id, who }, ...keptGames().filter((game) => game.id !== id)].slice(0, MOST));
}

export function forgetGame(id) {
  store(keptGames().filter((game) => game.id !== id));
}

function store(games) {
  try {
    localStorage.setItem(NAME, JSON.stringify(games));
  } catch {
    // a private window may refuse: the link still opens the game
  }
}
