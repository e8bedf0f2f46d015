"""The hall: what a club's screen knows of all tables, from what they tell a broker."""
