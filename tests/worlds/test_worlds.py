"""A world written and read back: facts, entries, links, and files that are no worlds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.core.place import Platform
from audit.errors import NewerWorld, WorldError
from audit.worlds.form import FORMAT
from audit.worlds.links import resolved_links
from audit.worlds.read import read_world
from audit.worlds.walk import Found, Kind
from audit.worlds.world import Facts, World, require_platform
from audit.worlds.write import PART, write_world

POSIX, WIN32 = Platform.POSIX, Platform.WIN32


def facts(roots: tuple[str, ...] = ("/srv/a",), platform: Platform = POSIX, version: int = 1) -> Facts:
    return Facts(
        version=version,
        tool="0.1.0",
        recorded="2026-12-01T05:15:00Z",
        platform=platform,
        roots=roots,
        excludes=(".git",),
    )


def entry(path: str, kind: Kind = Kind.FILE, target: str | None = None, unread: str | None = None) -> Found:
    separator = "/" if path.startswith("/") else "\\"
    folder, _, name = path.rpartition(separator)
    return Found(folder, name, kind, target, unread)


def written(path: Path, names: Iterable[Found], of: Facts | None = None) -> World:
    write_world(path, names, of or facts(), lambda _: None)
    return read_world(path)


def test_what_is_recorded_is_known_and_the_rest_is_not(tmp_path: Path) -> None:
    world = written(
        tmp_path / "w",
        [
            entry("/srv/a/x"),
            entry("/srv/a/.git", Kind.DIRECTORY, unread="excluded"),
            entry("/srv/a/up", Kind.LINK, "../b/y"),
        ],
    )
    seen = {
        "/srv/a/x": True,
        "/srv/a": True,
        "/srv": True,
        "/": True,
        "/srv/a/up": True,
        "/srv/a/.git": True,
        "/srv/a/nothing": False,
        "/srv/a/.git/config": None,
        "/srv/b": None,
    }
    assert {path: world.entries.seen(path) for path in seen} == seen
    assert world.links == (("/srv/a/up", "/srv/b/y"),)
    assert world.facts == facts()


def test_the_root_of_all_can_be_recorded(tmp_path: Path) -> None:
    world = written(tmp_path / "w", [entry("/etc", Kind.DIRECTORY)], facts(("/",)))
    assert world.entries.seen("/etc") is True
    assert world.entries.seen("/usr") is False
    assert world.entries.seen("/") is True


def test_windows_folds(tmp_path: Path) -> None:
    world = written(
        tmp_path / "w",
        [entry("C:\\Proj\\Read.me"), entry("C:\\Proj\\Lnk", Kind.LINK, "\\\\?\\D:\\Real")],
        facts(("C:\\Proj",), WIN32),
    )
    assert world.entries.seen("c:\\proj\\read.me") is True
    assert world.entries.seen("c:\\proj\\other") is False
    assert world.entries.seen("c:\\") is True
    assert world.entries.seen("c:\\else") is None
    assert world.links == (("c:\\proj\\lnk", "d:\\real"),)
    with pytest.raises(WorldError, match="win32"):
        require_platform(world, POSIX)


names_of = st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=6) | st.binary(
    min_size=1, max_size=4
).map(lambda raw: raw.replace(b"/", b"x").replace(b"\0", b"y").decode("utf-8", "surrogateescape"))


@given(st.sets(names_of, max_size=20))
def test_every_name_survives(tmp_path_factory: pytest.TempPathFactory, names: set[str]) -> None:
    path = tmp_path_factory.mktemp("w") / "w"
    world = written(path, [entry(f"/srv/a/{name}") for name in sorted(names)])
    assert all(world.entries.seen(f"/srv/a/{name}") for name in names)
    assert len(world.entries.known) == len(names) + 3


def test_parts_keep_their_order_and_are_told(tmp_path: Path) -> None:
    told: list[int] = []
    names = [entry(f"/srv/a/{number:06}") for number in range(PART + 5)]
    tally = write_world(tmp_path / "w", names, facts(), told.append)
    assert told == [PART, PART + 5]
    assert tally.kinds == {Kind.FILE: PART + 5}
    assert pl.read_parquet(tmp_path / "w")["name"].is_sorted()


def test_the_same_names_give_the_same_bytes(tmp_path: Path) -> None:
    names = [entry("/srv/a/x"), entry("/srv/a/y", Kind.LINK, "x")]
    digests = {written(tmp_path / name, names).digest for name in ("one", "two")}
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("targets", "resolved"),
    [
        ({"/a/l": "x"}, {"/a/l": "/a/x"}),
        ({"/a/l": "/x"}, {"/a/l": "/x"}),
        ({"/a/l": "./x/../y//z/"}, {"/a/l": "/a/y/z"}),
        ({"/a/l": "../../../.."}, {"/a/l": "/"}),
        ({"/a/l": "m/x", "/a/m": "/b"}, {"/a/l": "/b/x", "/a/m": "/b"}),
        # `..` goes up from where the link leads, not from where it stands.
        ({"/a/l": "m/../x", "/a/m": "/b/c"}, {"/a/l": "/b/x", "/a/m": "/b/c"}),
        ({"/a/l": "l"}, {}),
        ({"/a/l": "m", "/a/m": "l", "/a/n": "l/x", "/a/o": "k"}, {"/a/o": "/a/k"}),
        ({"/l": "x"}, {"/l": "/x"}),
    ],
)
def test_links_resolve_as_the_host_resolves_them(targets: dict[str, str], resolved: dict[str, str]) -> None:
    assert dict(resolved_links(targets, POSIX)) == resolved


@pytest.mark.parametrize(
    ("targets", "resolved"),
    [
        ({"c:\\a\\l": "..\\x"}, {"c:\\a\\l": "c:\\x"}),
        ({"c:\\a\\l": "d:/y/z"}, {"c:\\a\\l": "d:\\y\\z"}),
        ({"c:\\a\\l": "\\w"}, {"c:\\a\\l": "c:\\w"}),
        ({"c:\\a\\l": "..\\..\\.."}, {"c:\\a\\l": "c:\\"}),
    ],
)
def test_links_of_windows(targets: dict[str, str], resolved: dict[str, str]) -> None:
    assert dict(resolved_links(targets, WIN32)) == resolved


def with_metadata(path: Path, document: object) -> Path:
    pl.DataFrame({"folder": ["/srv"]}).write_parquet(path, metadata={FORMAT: json.dumps(document)})
    return path


def test_files_that_are_no_worlds_are_told_apart(tmp_path: Path) -> None:
    good = tmp_path / "good"
    written(good, [entry("/srv/a/x")])
    (tmp_path / "cut").write_bytes(good.read_bytes()[:-9])
    (tmp_path / "text").write_text("hello")
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "other")
    with_metadata(tmp_path / "newer", {"version": 99, "tool": "9.0.0"})
    with_metadata(tmp_path / "odd", {"version": 1, "tool": 3})
    with_metadata(tmp_path / "thin", _as_document(facts()))
    for name, words in {
        "cut": "damaged",
        "text": "no world",
        "other": "is no world",
        "odd": "metadata is damaged",
        "thin": "columns",
        "none": "there is no file",
    }.items():
        with pytest.raises(WorldError, match=words) as raised:
            read_world(tmp_path / name)
        assert raised.value.exit_code == 14
        assert f"`{tmp_path / name}`" in raised.value.message
    with pytest.raises(NewerWorld, match="format 99") as newer:
        read_world(tmp_path / "newer")
    assert newer.value.exit_code == 15


def _as_document(of: Facts) -> dict[str, object]:
    return {
        "version": of.version,
        "tool": of.tool,
        "recorded": of.recorded,
        "platform": of.platform.value,
        "roots": list(of.roots),
        "excludes": list(of.excludes),
    }
