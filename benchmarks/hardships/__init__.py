"""Photos made worse: by other cameras, in worse light, tilted, from afar, under hands and cards."""
