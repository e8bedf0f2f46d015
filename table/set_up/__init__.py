"""Setting up a game by choosing: edition, players, camera, board; then it begins."""
