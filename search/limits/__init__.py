"""Time: how long a turn may take, and how late answers come."""
