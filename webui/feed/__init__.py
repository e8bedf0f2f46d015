"""What phones are told: a game as everyone may see it, its changes, its questions, its past."""
