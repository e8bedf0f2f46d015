"""One table: pictures in, standings out; the railspotter command."""
