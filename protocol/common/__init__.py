"""What several protocols and commands share: lines, dialogues, sessions, numbers, clocks."""
