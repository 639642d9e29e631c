"""Write golden playthroughs of the games named on the command line."""

import sys

from tests.contract.playthroughs import write

for name in sys.argv[1:]:
    sys.stdout.write(f"{write(name)}\n")
