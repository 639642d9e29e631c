"""Records of games in SGF (FF[4]): `Record`, a tree of `Node`; `parse`, `read_file` (docs/records.md).

A file is a `Collection` of games. On square boards a turn is an SGF point, and positions are set up with AB,
AW, AE and PL, so that other programs can read the record. For other boards, and for positions that stones do
not fully describe, turns and positions are written as tengen's own texts. The property TG holds the game
spec, TP the text of a position.
"""

from tengen.engine.sgf.node import Node as Node
from tengen.engine.sgf.node import Properties as Properties
from tengen.engine.sgf.reader import MAX_BYTES as MAX_BYTES
from tengen.engine.sgf.reader import Collection as Collection
from tengen.engine.sgf.reader import parse as parse
from tengen.engine.sgf.reader import parse_all as parse_all
from tengen.engine.sgf.reader import parse_data as parse_data
from tengen.engine.sgf.reader import read_all as read_all
from tengen.engine.sgf.reader import read_file as read_file
from tengen.engine.sgf.record import DERIVED as DERIVED
from tengen.engine.sgf.record import Record as Record
from tengen.engine.sgf.record import position as position
from tengen.engine.sgf.record import replay as replay
from tengen.engine.sgf.record import write as write
