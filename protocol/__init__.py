"""Text protocols on stdin and stdout, and what they share: sessions, options, dialogues."""
