"""Making a board file from a picture of a board, empty: spaces, routes, and a person's edits."""
