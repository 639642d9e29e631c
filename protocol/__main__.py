"""``python -m protocol``: the command ``tengen`` without its installed script."""

import sys

from protocol.cli import main

sys.exit(main())
