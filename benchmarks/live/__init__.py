"""Games and photos before a live table, on a clock of their own."""
