"""KataGo's JSON where transcripts do not reach."""
