"""Boards composed of real pixels: photos taken apart, put together as games that nobody laid."""
