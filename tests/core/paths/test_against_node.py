"""Path arithmetic against the reference's host library, over random paths; skipped where Node is missing."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import product
from random import Random
from types import ModuleType

import pytest

from audit.core.paths import posix, win32

SCRIPT = """
const path = require("path");
let text = "";
process.stdin.on("data", (part) => (text += part));
process.stdin.on("end", () => {
  const asked = JSON.parse(text);
  const answers = asked.map(([platform, name, ...given]) => path[platform][name](...given));
  process.stdout.write(JSON.stringify(answers));
});
"""
PIECES = ("a", "b.c", "..", ".", "...", "", " ", "é", "A", "~", "a b", "..a")
ROOTS = {
    "posix": ("", "", "/", "//", "./", "../"),
    "win32": (
        "",
        "",
        "\\",
        "/",
        "C:\\",
        "c:/",
        "D:\\",
        "\\\\srv\\share\\",
        "//srv/share/x",
        "\\\\?\\C:\\",
        ".\\",
    ),
}
SEPARATORS = {"posix": ("/", "/", "//"), "win32": ("\\", "/", "\\\\", "/\\")}
BASES = {
    "posix": ("/", "/srv/shop", "/a/b c/"),
    "win32": ("C:\\", "C:\\Src\\Shop", "\\\\srv\\share\\d", "d:\\x\\"),
}
OURS: dict[str, ModuleType] = {"posix": posix, "win32": win32}
NAMES = {"isAbsolute": "is_absolute"}

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


def paths(platform: str, count: int) -> list[str]:
    random = Random(platform)  # noqa: S311 - the same paths every time are wanted
    made = []
    for _ in range(count):
        pieces = random.choices(PIECES, k=random.randrange(5))
        path = random.choice(ROOTS[platform])
        for piece in pieces:
            path += piece + random.choice(SEPARATORS[platform])
        bare = path.rstrip("/\\")
        # A drive alone stands for a directory that only the process knows.
        made.append(path if random.random() < 0.4 or not bare or bare.endswith(":") else bare)
    return made


def questions(platform: str) -> list[list[str]]:
    asked = []
    for path in paths(platform, 600):
        asked += [[platform, name, path] for name in ("normalize", "basename", "dirname", "isAbsolute")]
    for base, path in product(BASES[platform], paths(platform, 200)):
        asked += [[platform, "resolve", base, path], [platform, "join", base, path]]
    return asked


@pytest.mark.parametrize("platform", sorted(OURS))
def test_every_operation_agrees_with_the_library(platform):
    asked = questions(platform)
    ran = subprocess.run(
        ["node", "-e", SCRIPT], input=json.dumps(asked).encode(), capture_output=True, check=True
    )
    differing = []
    for (_, name, *given), theirs in zip(asked, json.loads(ran.stdout), strict=True):
        ours = getattr(OURS[platform], NAMES.get(name, name))(*given)
        if ours != theirs:
            differing.append((name, given, ours, theirs))
    assert not differing
