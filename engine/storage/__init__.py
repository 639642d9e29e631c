"""Files that are read with care and written whole; archives of arrays, and JSON."""
