"""The rules of Gobang [B-1][B-2]: the kernels of Gomoku, whose state says whether pairs are taken."""

from engine.gomoku.rules import (
    ACTIONS as ACTIONS,
)
from engine.gomoku.rules import (
    COMPOUND as COMPOUND,
)
from engine.gomoku.rules import (
    DRAW as DRAW,
)
from engine.gomoku.rules import (
    FIRST_WINS as FIRST_WINS,
)
from engine.gomoku.rules import (
    MAX_ACTIONS as MAX_ACTIONS,
)
from engine.gomoku.rules import (
    MERGED as MERGED,
)
from engine.gomoku.rules import (
    ONGOING as ONGOING,
)
from engine.gomoku.rules import (
    QUIET_ACTIONS as QUIET_ACTIONS,
)
from engine.gomoku.rules import (
    SECOND_WINS as SECOND_WINS,
)
from engine.gomoku.rules import (
    STATE as STATE,
)
from engine.gomoku.rules import (
    check as check,
)
from engine.gomoku.rules import (
    close_to_win as close_to_win,
)
from engine.gomoku.rules import (
    count as count,
)
from engine.gomoku.rules import (
    do_move as do_move,
)
from engine.gomoku.rules import (
    evaluate as evaluate,
)
from engine.gomoku.rules import (
    forced as forced,
)
from engine.gomoku.rules import (
    generate as generate,
)
from engine.gomoku.rules import (
    generate_attacks as generate_attacks,
)
from engine.gomoku.rules import (
    generate_candidates as generate_candidates,
)
from engine.gomoku.rules import (
    generate_defences as generate_defences,
)
from engine.gomoku.rules import (
    generate_noisy as generate_noisy,
)
from engine.gomoku.rules import (
    give_turn as give_turn,
)
from engine.gomoku.rules import (
    outcome as outcome,
)
from engine.gomoku.rules import (
    priority as priority,
)
from engine.gomoku.rules import (
    recompute_key as recompute_key,
)
from engine.gomoku.rules import (
    start as start,
)
from engine.gomoku.rules import (
    symmetries as symmetries,
)
