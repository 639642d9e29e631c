from typing import Any
from engine.zertz.text import format_position
def board(s: Any) -> str:
    return format_position(s)
def draw(s: Any) -> Any:
    raise NotImplementedError
