"""What several tests need."""

from collections.abc import Callable

import pytest

from tests.tuning.cluster import Cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return what runs ``tengen`` with `words`, and returns the one line by which they are refused."""
    from tengen.apps.cli.main import main

    def run(*words: str) -> str:
        try:
            code = main([*words])
        except SystemExit as refusal:
            code = refusal.code
        assert code == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        return captured.err

    return run
