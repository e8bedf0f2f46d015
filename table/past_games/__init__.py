"""What is kept of games that are over: summaries and records."""
