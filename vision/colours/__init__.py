"""The colours of plastic: those of each box, those of one photo, those learned at a table."""
