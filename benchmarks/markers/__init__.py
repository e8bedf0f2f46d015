"""Score markers laid on tracks, drawn and in real photos, with what is true of each."""
