"""Where a board is in a picture: by its print, by markers, by corners, from frame to frame."""
