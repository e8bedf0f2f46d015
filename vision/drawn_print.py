"""What is said of a reading by a reference that is drawn, or partly."""

NOTE = (
    "read without a photo of your empty board: expect more questions;"
    " 'railspotter calibrate' makes it better"
)
PARTLY = (
    "the reference was taken with trains on the board: the {count} routes that they hid are read by"
    " a drawing, and asked about more often"
)
