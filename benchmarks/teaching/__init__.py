"""The steps of `teach.py`: photos relit, windows with their truth, the net, weights of cues."""
