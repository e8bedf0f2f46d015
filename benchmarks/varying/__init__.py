"""Numbers that stand in the program: found, and the program run with one of them changed."""
