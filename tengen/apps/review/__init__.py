"""Reviews of game records: assessments, journal, annotated record, report and graph."""
