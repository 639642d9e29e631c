"""A soak: hostile input, kills, full disks, long runs, as long as one likes; see docs/reliability.md."""
