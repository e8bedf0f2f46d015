"""The virtual board: renders pictures of a board with pieces, with their ground truth.

It shares nothing with the reader, so that pictures do not show what the reader expects.
"""
