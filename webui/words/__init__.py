"""What is said in which language: pages' words, the program's sentences, and who wants which."""
