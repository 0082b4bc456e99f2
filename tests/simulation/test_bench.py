"""`parlour bench simulate`: figures in a clone, kind words elsewhere."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from adapters import cli
from tests.simulation import bench
from tests.simulation.run import Outcome, simulate
from tests.simulation.world import Violation


def test_the_bench_prints_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "simulate", "--seeds", "1", "--from", "12"]) == 0
    told = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert told["  seeds"] == "1"
    assert told["  violations"] == "0"
    assert int(told["  commits"]) > 0


def test_the_bench_tells_what_broke_and_in_which_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "simulate", broken(simulate))
    assert cli.main(["bench", "simulate", "--seeds", "1", "--from", "12"]) == 1
    assert capsys.readouterr().out.count("seed 12, at 1.500 s: a_promise: it was broken") == 2


def broken(run: Callable[[int], Outcome]) -> Callable[[int], Outcome]:
    return lambda seed: replace(
        run(seed), violations=(Violation("a_promise", "it was broken", 1.5),)
    )


def test_without_a_clone_the_bench_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "IN_A_CLONE", (("simulate", "tests.nowhere.bench", "evenings"),))
    with pytest.raises(SystemExit):
        cli.main(["bench", "simulate", "--seeds", "1"])
    assert "needs a clone of the project" in capsys.readouterr().err
