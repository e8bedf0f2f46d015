"""The page that phones at the table open, and its programming interface."""
