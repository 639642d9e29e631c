"""Options: those of the engine, arguments that subcommands share, and the settings of the user."""
