"""Photos made worse: as other cameras render them, in worse light, tilted, from afar."""
