"""The programming interface of a running game, /api/v1: what docs/api.md tells, call by call."""
