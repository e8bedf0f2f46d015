"""The commands, one module each, with its arguments and its output.

A module is imported only when its command is run, for a fast start.
"""
