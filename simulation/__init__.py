"""Everything that plays without a board: drawn boards and cards, bots, hands, whole drawn games."""
