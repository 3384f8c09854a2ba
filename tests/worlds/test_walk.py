"""Names below folders: kinds, order, links that are never followed, folders that are not looked into."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from audit.errors import WorldError
from audit.worlds.walk import EXCLUDED, Found, Kind, walk, ways_to

Tree = Callable[..., Path]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Make files, folders (`name/`) and links (`name -> target`) below a folder."""
    root = (tmp_path / "tree").resolve()
    root.mkdir()

    def _tree(*names: str) -> Path:
        for name in names:
            path, arrow, target = name.partition(" -> ")
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if arrow:
                place.symlink_to(target)
            elif path.endswith("/"):
                place.mkdir(exist_ok=True)
            else:
                place.write_text("secret")
        return root

    return _tree


def found(*folders: Path | str, excludes: Sequence[str] = ()) -> list[Found]:
    return list(walk(ways_to([str(folder) for folder in folders], excludes), excludes))


def paths(found: list[Found], root: Path) -> list[str]:
    return [f"{one.folder}/{one.name}".removeprefix(f"{root}/") for one in found]


def test_kinds_and_targets(tree: Tree) -> None:
    root = tree("a.txt", "dir/b", "loose -> nowhere", "dir/up -> ../a.txt", "self -> .")
    os.mkfifo(root / "pipe")
    seen = found(root)
    kinds = {path: (one.kind, one.target) for path, one in zip(paths(seen, root), seen, strict=True)}
    assert kinds == {
        "a.txt": (Kind.FILE, None),
        "dir": (Kind.DIRECTORY, None),
        "dir/b": (Kind.FILE, None),
        "dir/up": (Kind.LINK, "../a.txt"),
        "loose": (Kind.LINK, "nowhere"),
        "pipe": (Kind.OTHER, None),
        "self": (Kind.LINK, "."),
    }


def test_folders_come_before_what_is_in_them_and_names_in_order(tree: Tree) -> None:
    root = tree("b/z", "b/a/deep", "a", "c")
    assert paths(found(root), root) == ["a", "b", "b/a", "b/a/deep", "b/z", "c"]


def test_links_are_never_followed(tree: Tree) -> None:
    root = tree("dir/inside", "way -> dir")
    assert paths(found(root), root) == ["dir", "dir/inside", "way"]


@pytest.mark.parametrize(
    ("excludes", "expected"),
    [
        ((), ["a", "a/.git", "a/.git/config", "a/x", "node_modules", "node_modules/m"]),
        ((".git",), ["a", "a/.git", "a/x", "node_modules", "node_modules/m"]),
        ((".git", "node_*"), ["a", "a/.git", "a/x", "node_modules"]),
        (("x",), ["a", "a/.git", "a/.git/config", "a/x", "node_modules", "node_modules/m"]),
    ],
)
def test_excluded_folders_are_named_and_not_looked_into(
    tree: Tree, excludes: tuple[str, ...], expected: list[str]
) -> None:
    root = tree("a/.git/config", "a/x", "node_modules/m")
    seen = found(root, excludes=excludes)
    assert paths(seen, root) == expected
    unread = {one.name for one in seen if one.unread == EXCLUDED}
    assert unread == {".git", "node_modules"} & {
        name for name in (".git", "node_modules") if any(name.startswith(one.rstrip("*")) for one in excludes)
    }


def test_a_folder_that_cannot_be_read_is_named_with_the_reason(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree("shut/x", "open/y")
    real = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("/shut"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    seen = found(root)
    assert paths(seen, root) == ["open", "open/y", "shut"]
    assert [one.unread for one in seen] == [None, None, "Permission denied"]
    [alone] = found(root / "shut")
    assert (alone.name, alone.unread) == ("shut", "Permission denied")


def test_roots_inside_roots_are_recorded_once(tree: Tree) -> None:
    root = tree("a/b/c", "other")
    assert found(root / "a", root, root / "a" / "b") == found(root)
    assert ways_to([str(root / "a"), str(root)], ()).roots == (str(root),)


def test_a_root_inside_an_excluded_folder_is_still_recorded(tree: Tree) -> None:
    root = tree("skip/in/x", "y")
    seen = found(root, root / "skip" / "in", excludes=("skip",))
    assert paths(seen, root) == ["skip", "y", "skip/in/x"]


def test_links_on_the_way_to_a_root_are_recorded(tree: Tree) -> None:
    root = tree("real/inner/x", "way -> real")
    seen = found(root / "way" / "inner")
    assert paths(seen, root) == ["way", "real/inner/x"]
    assert seen[0].kind is Kind.LINK


def test_names_that_are_no_text_survive(tree: Tree) -> None:
    root = tree("plain")
    (root / os.fsdecode(b"caf\xe9")).write_text("")
    assert paths(found(root), root) == ["caf\udce9", "plain"]


@pytest.mark.parametrize("name", ["missing", "file"])
def test_a_root_has_to_be_a_folder(tree: Tree, name: str) -> None:
    root = tree("file")
    with pytest.raises(WorldError, match=name):
        ways_to([str(root / name)], ())


def test_a_thousand_levels_are_no_limit(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tree()
    monkeypatch.chdir(here)
    levels = 1200
    for _ in range(levels):
        Path("d").mkdir()
        os.chdir("d")
    seen = found(here)
    for _ in range(levels):  # what clears up after tests cannot go this deep
        os.chdir("..")
        Path("d").rmdir()
    assert [one.name for one in seen] == ["d"] * levels
