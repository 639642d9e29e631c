"""Rules, evaluation, texts and pictures of the games; knows nothing of search or of text protocols."""
