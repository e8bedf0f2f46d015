"""Finds the numbers in the program's source, and runs it with one of them changed."""
