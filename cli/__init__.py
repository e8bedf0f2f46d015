"""The `railspotter` command: the program put together. It imports everything, nothing it."""
