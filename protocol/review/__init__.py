"""Reviews: every position of a record analysed, kept as it comes, and told."""
