"""What is known of one copy of a board, from its pictures to the file it is kept in."""
