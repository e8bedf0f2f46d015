"""What must hold at a table whose cards are dealt: each state and each call, judged."""
