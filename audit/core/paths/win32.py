"""win32 path arithmetic as the reference's host library does it (core-bash.md 10.4).

Both slashes separate, output uses the backslash. The current directory of a drive is taken to be the
root of that drive, because an offline tool knows no other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SEPARATOR = "\\"

_SEPARATORS = re.compile(r"[\\/]+")
_UNC = re.compile(r"[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)")
_UNC_ONLY = re.compile(r"[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)\Z")
_DRIVE = re.compile(r"[A-Za-z]:")
_RESERVED = re.compile(r"(?:CON|PRN|AUX|NUL|(?:COM|LPT)[1-9\u00b9\u00b2\u00b3])\Z", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class _Root:
    device: str
    end: int
    absolute: bool


def _root(path: str) -> _Root:
    if path[:1] in ("\\", "/") and path:
        unc = _UNC.match(path)
        if unc is None:
            return _Root("", 1, absolute=True)
        server, share = unc.groups()
        if server in {".", "?"}:
            return _Root(f"\\\\{server}", 4, absolute=True)
        return _Root(f"\\\\{server}\\{share}", unc.end(), absolute=True)
    if _DRIVE.match(path):
        absolute = path[2:3] in ("\\", "/") and len(path) > 2
        return _Root(path[:2], 3 if absolute else 2, absolute)
    return _Root("", 0, absolute=False)


def _fold_components(path: str, *, rooted: bool) -> str:
    kept: list[str] = []
    for component in _SEPARATORS.split(path):
        if component in {"", "."}:
            continue
        if component != "..":
            kept.append(component)
        elif kept and kept[-1] != "..":
            kept.pop()
        elif not rooted:
            kept.append(component)
    return "\\".join(kept)


def resolve(base: str, path: str) -> str:
    """Return `path` as an absolute, normal path; what it lacks is taken from `base`."""
    device, tail, absolute = "", "", False
    for operand in (path, base):
        if not operand:
            continue
        root = _root(operand)
        if root.device:
            if device and root.device.lower() != device.lower():
                continue
            device = device or root.device
        if absolute:
            if device:
                break
            continue
        tail = f"{operand[root.end :]}\\{tail}"
        absolute = root.absolute
        if absolute and device:
            break
    return f"{device}\\{_fold_components(tail, rooted=True)}"


def _looks_like_stream(path: str, tail: str) -> bool:
    if _DRIVE.match(tail):
        return True
    return any(
        at == len(path) - 1 or path[at + 1] in "\\/" for at, character in enumerate(path) if character == ":"
    )


def normalize(path: str) -> str:
    """Collapse separators, `.` and `..`; keep a trailing separator; nothing left gives `.`."""
    if not path:
        return "."
    if len(path) == 1:
        return "\\" if path in "\\/" else path
    unc_only = _UNC_ONLY.match(path)
    if unc_only is not None and unc_only[1] not in {".", "?"}:
        return f"\\\\{unc_only[1]}\\{unc_only[2]}\\"
    root = _root(path)
    tail = _fold_components(path[root.end :], rooted=root.absolute)
    if not tail and not root.absolute:
        tail = "."
    if tail and path[-1] in "\\/":
        tail += "\\"
    if not root.absolute and not root.device and ":" in path and _looks_like_stream(path, tail):
        return f".\\{tail}"
    colon = path.find(":")
    if colon > 0 and _RESERVED.match(path[:colon]):
        return f".\\{root.device}{tail}"
    return f"{root.device}\\{tail}" if root.absolute else f"{root.device}{tail}"


def join(*parts: str) -> str:
    """Join the non-empty parts and normalize.

    Several leading separators become one, unless the first part starts with exactly two of them
    followed by another character (a server name).
    """
    given = [part for part in parts if part]
    if not given:
        return "."
    joined = "\\".join(given)
    first = given[0]
    server = len(first) > 2 and first[0] in "\\/" and first[1] in "\\/" and first[2] not in "\\/"
    if not server:
        stripped = joined.lstrip("\\/")
        if len(joined) - len(stripped) >= 2:
            joined = "\\" + stripped
    return normalize(joined)


def is_absolute(path: str) -> bool:
    """Tell whether a path starts with a separator, or with a drive and a separator."""
    if not path:
        return False
    return path[0] in "\\/" or (bool(_DRIVE.match(path)) and path[2:3] in ("\\", "/") and len(path) > 2)


def basename(path: str) -> str:
    """Return the last component; trailing separators and a leading drive are ignored."""
    rest = path[2:] if _DRIVE.match(path) else path
    return _SEPARATORS.split(rest.rstrip("\\/"))[-1]


def dirname(path: str) -> str:
    """Return the parent: `.` for a bare name, the root for what lies at the root."""
    start = _root(path).end
    unc = _UNC.match(path)
    if unc is not None:
        if unc.end() == len(path):
            return path
        start = unc.end() + 1
    stripped = path.rstrip("\\/")
    cut = max(stripped.rfind("\\", start), stripped.rfind("/", start))
    return path[: start if cut == -1 else cut] or "."
