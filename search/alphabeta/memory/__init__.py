"""What alpha-beta keeps: the table that threads share, and the records of each thread."""
