"""Reading a board: what stands on every space, decided as whole routes, with its doubt."""
