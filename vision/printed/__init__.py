"""The print of a board as a photo shows it: its spaces and places, its light, its tones."""
