"""Computer players: three strengths with characters of their own, who see what a seat sees."""
