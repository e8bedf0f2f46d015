"""Computer players in three strengths; they see only what their seat sees."""
