"""The pages: their templates and what they are filled with."""
