"""Words in a picture: what is printed on tickets and beside the places of a board."""
