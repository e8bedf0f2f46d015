"""The labelled photos of real boards, and how a reading of them is judged, counted and told."""
