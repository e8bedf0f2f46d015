"""The `railspotter` command, which imports all packages and is imported by none."""
