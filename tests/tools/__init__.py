"""Tools for developers: latency of replies, balanced openings."""
