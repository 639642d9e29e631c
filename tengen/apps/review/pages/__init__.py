"""What reviews and analyses look like: pages of HTML, graphs, pictures of boards with turns on them."""
