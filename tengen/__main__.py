"""``python -m tengen``: the command ``tengen`` without its installed script."""

import sys

from tengen.protocol.cli.main import main

sys.exit(main())
