"""The subcommand ``fit``: weights, move knowledge and nets, learned from games."""
