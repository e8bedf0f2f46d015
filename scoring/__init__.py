"""The rules core: boards, editions, claims, points and the longest path.

It knows no pictures, clocks, network or randomness, and reads no files but its own data and the
board and deck files it is handed.
"""
