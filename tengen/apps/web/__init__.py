"""The board in the browser: a server of games, analysis and reviews, and the page that shows them."""
