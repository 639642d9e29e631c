"""Go for people: pictures, turns in steps, and what turns do in words."""
