"""The program changed in one place at a time: what can be changed, and into what."""
