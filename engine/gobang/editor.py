"""How positions of Gobang are set up: as those of Gomoku, with the captured pairs."""

from tengen.engine.gomoku.editor import layout as layout
