"""Shared by protocols and commands: lines, command loop, session, options, arguments, output."""
