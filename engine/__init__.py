"""Rules, evaluation, texts and pictures of the games; independent of search and protocols."""
