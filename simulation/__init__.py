"""Everything that plays without a board: computer players, drawn boards, hands, whole games."""
