"""Photos that are scored: one or several, with answers to what was asked, as values and as text."""
