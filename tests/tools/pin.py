"""Pin what searches compute: ``python -m tests.tools.pin [GAME...]`` writes it into each ``bench.txt``.

A commit that changes a search or an evaluation on purpose carries the new files, and says why.
"""

from tqdm import tqdm

from tengen.engine import games
from tengen.search import bench
from tests import command_line


def pin(name: str) -> None:
    """Search all lines of a game's file, and write what was found into them."""
    path = games.find(name).folder / bench.FILE
    lines = path.read_text("utf-8").splitlines()
    numbers = [number for number, line in enumerate(lines) if line.strip() and not line.startswith("#")]
    tasks = list(bench.tasks([name]))
    for number, task in zip(tqdm(numbers, desc=name, disable=None), tasks, strict=True):
        found = bench.measure(task)
        fields = [field.strip() for field in lines[number].split(";")][:3]
        lines[number] = " ; ".join([*fields, str(found.signature), found.turn])
    path.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    parser = command_line(__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all that are built in")
    for each in parser.parse_args().games or games.built_in():
        pin(each)
