"""The place file: every mistake at once, and what fits a call."""

from __future__ import annotations

import pytest

from audit.core.place import Platform
from audit.errors import DocumentError
from audit.log.places import moment, read_place_file

WHOLE = """
version = 1
home = "/home/dev"
platform = "posix"
mcp_servers = ["exa"]
[links]
"/var" = "/private/var"
[[cwd]]
path = "/home/dev/shop"
to = 2026-08-01T00:00:00Z
agent = "scout"
[[cwd]]
path = "/home/dev/till"
[[policy]]
file = "a.json"
cwd = "/home/dev/shop"
[[policy]]
file = "b.json"
git = "v2"
from = 2026-08-01T00:00:00Z
"""


def mistakes(text: str) -> list[str]:
    with pytest.raises(DocumentError) as raised:
        read_place_file(text, "place.toml")
    return [mistake.path for mistake in raised.value.mistakes]


def test_everything_is_read() -> None:
    places = read_place_file(WHOLE, "place.toml")
    assert (places.home, places.platform, places.mcp_servers) == ("/home/dev", Platform.POSIX, ("exa",))
    assert places.links == (("/var", "/private/var"),)


@pytest.mark.parametrize(
    ("time", "agent", "expected"),
    [
        ("2026-07-31T23:59:59.999Z", "scout", "/home/dev/shop"),
        ("2026-08-01T00:00:00.000Z", "scout", "/home/dev/till"),
        ("2026-07-01T00:00:00.000Z", None, "/home/dev/till"),
    ],
)
def test_the_first_directory_that_fits_is_taken(time: str, agent: str | None, expected: str) -> None:
    assert read_place_file(WHOLE, "place.toml").cwd_of(moment(time), agent) == expected


@pytest.mark.parametrize(
    ("time", "cwd", "expected"),
    [
        ("2026-07-01T00:00:00Z", "/home/dev/shop", "a.json"),
        ("2026-09-01T00:00:00Z", "/home/dev/till", "b.json@v2"),
        ("2026-07-01T00:00:00Z", "/home/dev/till", None),
    ],
)
def test_the_policy_in_force(time: str, cwd: str, expected: str | None) -> None:
    entry = read_place_file(WHOLE, "place.toml").policy_of(moment(time), cwd)
    assert (entry and entry.name) == expected


def test_all_mistakes_are_told() -> None:
    text = """
version = 1
home = "here"
[links]
"var" = "/x"
[[cwd]]
path = "shop"
[[cwd]]
agent = "scout"
[[policy]]
file = "a.json"
from = 2026-08-01T00:00:00Z
to = 2026-07-01T00:00:00Z
[[skill]]
nome = "x"
"""
    assert sorted(mistakes(text)) == ["cwd[0].path", "cwd[1]", "home", "links[var]", "policy[0]", "skill[0]"]


@pytest.mark.parametrize(("text", "path"), [("version = 2", "version"), ("version = ", "(document)")])
def test_other_formats_are_refused(text: str, path: str) -> None:
    assert mistakes(text) == [path]
