"""Photos that phones send are read in a process of their own: see `PhotoReader`."""
