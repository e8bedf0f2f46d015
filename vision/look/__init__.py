"""A look at a found board: what is seen of every space, beside what its print would show."""
