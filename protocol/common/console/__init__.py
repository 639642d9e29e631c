"""Consoles and pipes: lines in and out, what is printed, Ctrl-C, and the scheduler."""
