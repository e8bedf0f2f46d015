"""Displays beside the board: wire formats, ports, firmware. Nothing is built yet."""
