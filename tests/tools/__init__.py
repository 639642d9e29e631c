"""Tools for developers: latency of replies, balanced openings, solved endings."""
