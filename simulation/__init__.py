"""Games without a real board: computer players, and drawn boards with animated hands."""
