"""Pictures of boards made by a path tracer: prints, plastic, rooms and phones, with their truth."""
