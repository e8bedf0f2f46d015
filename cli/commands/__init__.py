"""The commands, one a module: its arguments, what it does, what it prints.

Each is imported when it is given: all together take longer than most of them work.
"""
