"""House rules for every test: Hypothesis's profiles, and no silent skip under CI."""

import os
import tomllib
from collections.abc import Generator

import pytest
from hypothesis import settings

CI = os.environ.get("CI", "").lower() in {"1", "true"}

settings.register_profile("here", deadline=None, print_blob=True, derandomize=False)
settings.register_profile("ci", settings.get_profile("here"), database=None)
settings.load_profile("ci" if CI else "here")


def refuse_skip(report: pytest.TestReport | pytest.CollectReport, config: pytest.Config) -> None:
    """Turn a skip into a failure, unless `[tool.parlour] allowed_skips` allows its reason."""
    if not (CI and report.skipped) or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    project = tomllib.loads((config.rootpath / "pyproject.toml").read_text("utf-8"))
    if not any(allowed in reason for allowed in project["tool"]["parlour"]["allowed_skips"]):
        report.outcome = "failed"
        report.longrepr = f"A skip that [tool.parlour] allowed_skips does not allow: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """One test was skipped."""
    report = yield
    refuse_skip(report, item.config)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A whole module was skipped."""
    report = yield
    refuse_skip(report, collector.config)
    return report
