"""What the rulebooks say, asked of the references and of the engine alike."""
