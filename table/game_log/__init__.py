"""The log of a game: events as facts, never edited and never lost; its state is their fold."""
