"""What is shown in a terminal: boards with lines and colours where it can show them, and pages of rules."""
