"""Where the board is in a picture: profiles of a user's own board, and finding it."""
