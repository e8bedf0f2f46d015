"""`railspotter doctor`: what keeps a table from working, found before the guests come."""
