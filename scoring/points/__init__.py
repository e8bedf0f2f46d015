"""What a position is worth: the score so far, the final one, what tickets can still become."""
