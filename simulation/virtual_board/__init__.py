"""The virtual board: pictures of a game that never was, with the exact truth beside them.

It knows nothing of the reader, so that what it shows is not what the reader expects to see.
"""
