"""Records of games in SGF (FF[4]): see `Record`, `parse`, `write`, `position` (notation.md, Records).

On square boards a turn is an SGF point, and a start position is set up with AB, AW and PL, so that other
programs can read the record. For other boards, and for positions that stones do not fully describe, turns and
positions are written as tengen's own texts. The property TG holds the game spec, TP the text of the start
position.
"""

from tengen.engine.sgf.reader import MAX_BYTES as MAX_BYTES
from tengen.engine.sgf.reader import parse as parse
from tengen.engine.sgf.reader import read_file as read_file
from tengen.engine.sgf.record import DERIVED as DERIVED
from tengen.engine.sgf.record import Properties as Properties
from tengen.engine.sgf.record import Record as Record
from tengen.engine.sgf.record import Variation as Variation
from tengen.engine.sgf.record import position as position
from tengen.engine.sgf.record import replay as replay
from tengen.engine.sgf.writer import write as write
