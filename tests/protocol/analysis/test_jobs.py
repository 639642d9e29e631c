"""The queue of turns to analyze: how much may wait."""

import threading
from types import SimpleNamespace

from tengen.protocol.katago import workers


def test_a_query_waits_for_room(monkeypatch):
    """Sixteen megabytes of queries must not fill the memory."""
    monkeypatch.setattr(workers, "MAX_OPEN", 2)
    queue, answered = workers.AnalysisQueue(), []
    query = SimpleNamespace(id="q", priorities={0: 0, 1: 0, 2: 0})
    queue.add(query)  # more turns than may wait: those of one query always fit

    def answer() -> None:
        for _ in range(2):
            job = queue.take(None)
            answered.append(job.turn)
            queue.finish(job)

    worker = threading.Thread(target=answer)
    worker.start()
    queue.add(query)
    assert answered == [0, 1]
    worker.join()
