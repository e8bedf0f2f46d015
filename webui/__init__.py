"""The page that a phone at the table opens."""
