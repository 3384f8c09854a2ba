"""A published or checked-out `pi-permission-system` package under Node, by the adapter in `package/`."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from audit.engines.cache import cached
from audit.engines.pipes import Launch
from audit.engines.process import EngineProgram
from audit.errors import EngineError

ADAPTER = Path(__file__).parent / "package"
OLDEST_NODE = 20
NAME = re.compile(r"(^|/)pi-permission-system$")
INSIDE = (".", "node_modules/@gotgenes/pi-permission-system", "packages/pi-permission-system")
"""Where a package may stand: the folder itself, one it is installed in, a checkout of its repository."""
LOADABLE = frozenset({".cjs", ".js", ".json", ".mjs", ".wasm"})


def package_program(spec: str, folder: str) -> EngineProgram:
    """Return the engine of a package; raise `EngineError` where Node or the package is not to be had."""
    node = _node()
    package = _package(Path(folder))
    code = _code(package)

    def fill(bundle: Path) -> None:
        built = subprocess.run(
            [node, str(ADAPTER / "build.mjs"), str(package), str(bundle)],
            capture_output=True,
            env=_environment(),
            check=False,
        )
        if built.returncode != 0:
            told = built.stderr.decode("utf-8", "replace").strip() or f"code {built.returncode}"
            raise EngineError(f"the package in `{folder}` cannot be made ready: {told[-2000:]}")

    # The bundle names the folder that it takes libraries from, so the folder is part of what it is.
    place = sha256(f"{package}\n{code}\n{_digest(_sources(ADAPTER))}".encode("utf-8", "surrogateescape"))
    bundle = cached("package", place.hexdigest(), fill)
    words = (node, str(ADAPTER / "engine.mjs"), str(bundle))
    return EngineProgram(spec, Launch(words, _environment(), str(bundle)), f"sha256 {code}")


def _node() -> str:
    node = shutil.which("node")
    advice = f"`package:` engines need Node {OLDEST_NODE} or newer on the PATH"
    if node is None:
        raise EngineError("Node is not installed", advice)
    asked = subprocess.run([node, "--version"], capture_output=True, check=False, env=_environment())
    version = asked.stdout.decode("utf-8", "replace").strip()
    found = re.match(r"v(\d+)\.", version)
    if found is None or int(found[1]) < OLDEST_NODE:
        raise EngineError(f"Node is too old: `{version}`", advice)
    return node


def _environment() -> dict[str, str]:
    """Return this process's environment without what would load code into Node."""
    return {name: value for name, value in os.environ.items() if not name.startswith("NODE_")}


def _package(folder: Path) -> Path:
    for inside in INSIDE:
        candidate = (folder / inside).resolve()
        try:
            manifest = json.loads((candidate / "package.json").read_text("utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(manifest, dict) and NAME.search(str(manifest.get("name"))):
            if not (candidate / "src").is_dir():
                raise EngineError(f"the package in `{candidate}` has no `src` folder to run")
            return candidate
    raise EngineError(
        f"`{folder}` holds no `pi-permission-system` package",
        "give the folder of the package, one it is installed in with npm, or a checkout of its repository",
    )


def _code(package: Path) -> str:
    """Return what identifies the code of a package: the digest of its sources and of its libraries."""
    manifest = json.loads((package / "package.json").read_text("utf-8"))
    needs = manifest.get("dependencies")
    libraries = [_library(package, name) for name in sorted(needs if isinstance(needs, dict) else ())]
    return _digest(_sources(package), *(_loadable(folder) for folder in libraries if folder is not None))


def _digest(*folders: Iterable[tuple[str, Path]]) -> str:
    digest = sha256()
    for files in folders:
        for name, file in files:
            told, content = name.encode("utf-8", "surrogateescape"), file.read_bytes()
            digest.update(b"%d %b %d\n" % (len(told), told, len(content)))
            digest.update(content)
    return digest.hexdigest()


def _sources(folder: Path) -> Iterator[tuple[str, Path]]:
    files = sorted(file for file in folder.iterdir() if file.suffix in {".json", ".mjs"})
    files += sorted(file for file in (folder / "src").rglob("*") if file.is_file())
    return ((file.relative_to(folder).as_posix(), file) for file in files)


def _library(package: Path, name: str) -> Path | None:
    """Return the folder that Node takes a library from; the grammar of commands is one of them."""
    folders = (above / "node_modules" / name for above in (package, *package.parents))
    return next((folder for folder in folders if (folder / "package.json").is_file()), None)


def _loadable(library: Path) -> Iterator[tuple[str, Path]]:
    """Return the files of a library that can be loaded, without the libraries below it."""
    files = ((file.relative_to(library), file) for file in library.rglob("*") if file.suffix in LOADABLE)
    own = sorted((at, file) for at, file in files if "node_modules" not in at.parts and file.is_file())
    return ((f"{library.name}/{at.as_posix()}", file) for at, file in own)
