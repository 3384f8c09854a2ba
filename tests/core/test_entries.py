"""What exists: known, known not to, unknown."""

import pytest

from audit.core.place import NOTHING_KNOWN, Entries, listed

WORLD = Entries(
    known=frozenset({"/", "/srv", "/srv/a", "/srv/a/x", "/srv/a/.git"}),
    roots=frozenset({"/srv/a"}),
    holes=frozenset({"/srv/a/.git"}),
)


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("/srv/a/x", True),
        ("/srv/a", True),
        ("/", True),
        ("/srv/a/y", False),
        ("/srv/a/x/deeper/down", False),
        ("/srv/a/.git", True),
        ("/srv/a/.git/config", None),
        ("/srv/b", None),
        ("/srv/ab", None),
        ("relative", None),
        ("", None),
    ],
)
def test_a_world_knows_what_is_below_its_roots(path: str, seen: bool | None) -> None:
    assert WORLD.seen(path) is seen


@pytest.mark.parametrize("otherwise", [False, True])
def test_what_is_unknown_is_taken_to_be_one_way(otherwise: bool) -> None:
    world = Entries(WORLD.known, WORLD.roots, WORLD.holes, otherwise=otherwise)
    assert world.exists("/srv/b") is otherwise
    assert world.exists("/srv/a/.git/config") is otherwise
    assert world.exists("/srv/a/x")
    assert not world.exists("/srv/a/y")


def test_nothing_known_means_that_nothing_exists() -> None:
    assert NOTHING_KNOWN.seen("/srv") is None
    assert not NOTHING_KNOWN.exists("/srv")


def test_a_list_of_paths_is_the_whole_truth() -> None:
    assert listed(["/srv"]).seen("/srv") is True
    assert listed(["/srv"]).seen("/etc") is False


def test_drives_are_folders_too() -> None:
    world = Entries(frozenset({"c:\\p\\x"}), roots=frozenset({"c:\\p"}), separator="\\")
    assert world.seen("c:\\p\\x") is True
    assert world.seen("c:\\p\\y") is False
    assert world.seen("d:\\p\\y") is None
    assert Entries(frozenset(), frozenset({"c:"}), separator="\\").seen("c:\\a\\b") is False
