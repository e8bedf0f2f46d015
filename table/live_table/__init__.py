"""The live table: a game that runs before a camera, frames in, events out."""
