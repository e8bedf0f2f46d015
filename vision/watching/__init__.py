"""Watching a board through a stream of frames: what changed, said late and surely."""
