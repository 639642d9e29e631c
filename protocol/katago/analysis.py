"""KataGo's analysis engine, in JSON: queries on stdin, analyses on stdout, several at a time.

A query is a JSON object in one line: an id, the moves of a game, its rules, and the turns to analyze. Each
turn is answered by one line whose isDuringSearch is false. The field game selects another game than Go.
Fields, answers and actions are described in docs/protocols.md.
"""

import json
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from tengen import __version__
from tengen.engine.errors import NotationError, TengenError, nearest, quoted
from tengen.engine.spec import GameSpec
from tengen.protocol.dialogue import QUIT_GRACE, CommandLoop, Commands, run_protocol
from tengen.protocol.fields import FieldError, Fields, parse_finite
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.katago.queries import AnalysisOptions, QueryParser
from tengen.protocol.katago.workers import AnalysisJob, AnalysisQueue, AnalysisWorker, JsonDict
from tengen.protocol.lines import InputLine
from tengen.protocol.session import Session

MAX_TURN = 10**9
EXAMPLES = """examples:
  tengen analysis
  tengen analysis --game gomoku,size=19 --multipv 3
  tengen analysis --parallel 2 --perspective side --time 5"""


class AnalysisEngine(CommandLoop):
    """KataGo's analysis engine. An action's method returns what to add to the echo of the query, if any."""

    commands = Commands()

    def __init__(self, *arguments: Any, options: AnalysisOptions | None = None, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._options = options or AnalysisOptions()
        self._default = self.session.spec
        self._queue = AnalysisQueue()
        sessions = [self.session, *(Session(self._default) for _ in range(1, self._options.parallel))]
        for twin in sessions[1:]:
            twin.options = dict(self.session.options)
        self._workers = [AnalysisWorker(each, self._queue, self._send) for each in sessions]

    def serve(self) -> int:
        """Start the workers and execute lines until the end of input."""
        for worker in self._workers:
            worker.start()
        return super().serve()

    def on_eof(self) -> None:
        """Wait until all queries are answered, or drop them."""
        self._queue.close()
        if not self._options.quit_without_waiting:
            for worker in self._workers:
                worker.join()
        else:
            self.writer.block_writes(QUIT_GRACE)

    def interrupt(self) -> None:
        """End the process without truncating a line of output."""

        def exit_process() -> None:
            self.writer.block_writes(QUIT_GRACE)
            self.exit_process(EXIT_INTERRUPTED)

        # In a separate thread: a signal handler may run while the main thread holds a lock.
        threading.Thread(target=exit_process, daemon=True).start()

    def obey(self, line: InputLine) -> bool:
        """Execute one line: run its action or enqueue its query. Blank lines are ignored."""
        self._identity: JsonDict = {}  # what every answer repeats
        if not line.text.strip():
            return False
        self.reject_truncated(line)
        query = parse_finite(line.text)
        if not isinstance(query, dict):
            raise NotationError(f"expected a JSON object, got {quoted(line.text)}")
        fields = Fields(query)
        id_ = fields.required_text("id")
        self._identity = {"id": id_}
        if "action" in fields:
            name = fields.text("action") or ""
            if (command := self.commands.by_name.get(name)) is None:
                known = list(self.commands.by_name)
                got = f"{quoted(name)}{nearest(name, known)}"
                raise FieldError("action", f"action: expected one of {', '.join(known)}, got {got}")
            self._send({**fields.values, **(command.handler(self, fields) or {})})
            return True
        reader = QueryParser(fields, self._default, self._options)
        query = reader.read(id_)
        for name, text in reader.warnings:  # about ignored fields
            self._send({"warning": text, "field": name, "id": id_})
        self._queue.add(query)
        return True

    def refuse(self, error: TengenError) -> None:
        """Write an error."""
        field = {"field": error.field} if isinstance(error, FieldError) else {}
        self._send({"error": str(error), **field, **self._identity})

    def _send(self, reply: JsonDict) -> None:
        self.writer.write(json.dumps(reply, allow_nan=False))

    # ------------------------------------------------------------------------------------------------ actions

    commands.add("query_version")(lambda engine, fields: {"version": __version__, "git_hash": "<omitted>"})
    # Nets are part of the engine, not models to choose from.
    commands.add("query_models")(lambda engine, fields: {"models": []})

    @commands.add("clear_cache")
    def clear_cache(self, fields: Fields) -> None:
        """Clear all search tables before the next search; running searches continue."""
        for worker in self._workers:
            worker.clear_pending = True

    @commands.add("terminate terminateId [turnNumbers]")
    def terminate(self, fields: Fields) -> None:
        """Terminate a query."""
        id_ = fields.required_text("terminateId")
        self._terminate(fields, lambda job: job.query.id == id_)

    commands.add("terminate_all [turnNumbers]")(
        lambda engine, fields: engine._terminate(fields, lambda job: True)
    )

    def _terminate(self, fields: Fields, fits: Callable[[AnalysisJob], bool]) -> None:
        """Terminate the jobs for which `fits` returns true, restricted to ``turnNumbers`` if given."""
        turns = fields.integers("turnNumbers", -MAX_TURN, MAX_TURN)
        chosen = None if turns is None else set(turns)
        for job in self._queue.terminate(lambda job: fits(job) and (chosen is None or job.turn in chosen)):
            self._send(job.no_results())


Arguments = AnalysisOptions


def run(options: Arguments) -> int:
    """Answer queries until the input ends."""
    session = Session(GameSpec.parse(options.game))
    return run_protocol(partial(AnalysisEngine, options=options), session, options)
