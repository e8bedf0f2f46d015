"""`railspotter doctor`: checks of cameras, profiles, disk and network before a game."""
