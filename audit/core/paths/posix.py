"""POSIX path arithmetic as the reference's host library does it (core-bash.md 10.4)."""

from __future__ import annotations

SEPARATOR = "/"


def _fold_components(path: str, *, rooted: bool) -> list[str]:
    kept: list[str] = []
    for component in path.split("/"):
        if component in {"", "."}:
            continue
        if component != "..":
            kept.append(component)
        elif kept and kept[-1] != "..":
            kept.pop()
        elif not rooted:
            kept.append(component)
    return kept


def resolve(base: str, path: str) -> str:
    """Return `path` as an absolute, normal path; a relative one starts at `base`."""
    joined = path if path.startswith("/") else f"{base}/{path}"
    if joined.startswith("/") and not _is_untidy(joined):
        return joined
    return "/" + "/".join(_fold_components(joined, rooted=True))


def _is_untidy(path: str) -> bool:
    return (
        "//" in path
        or path.endswith("/")
        or ("/." in path and ("/./" in path or "/../" in path or path.endswith(("/.", "/.."))))
    )


def normalize(path: str) -> str:
    """Collapse separators, `.` and `..`; keep a trailing separator; nothing left gives `.`."""
    if not path:
        return "."
    rooted = path.startswith("/")
    tail = "/".join(_fold_components(path, rooted=rooted))
    if not tail:
        return "/" if rooted else ("./" if path.endswith("/") else ".")
    if path.endswith("/"):
        tail += "/"
    return "/" + tail if rooted else tail


def join(*parts: str) -> str:
    """Join the non-empty parts and normalize."""
    return normalize("/".join(part for part in parts if part))


def is_absolute(path: str) -> bool:
    """Tell whether a path starts at the root."""
    return path.startswith("/")


def basename(path: str) -> str:
    """Return the last component; trailing separators are ignored."""
    return path.rstrip("/").rpartition("/")[2]


def dirname(path: str) -> str:
    """Return the parent: `.` for a bare name, the root for what lies at the root."""
    if not path:
        return "."
    stripped = path.rstrip("/")
    if not stripped:
        return "/"
    head, separator, _ = stripped.rpartition("/")
    if not separator:
        return "."
    return {"": "/", "/": "//"}.get(head, head)
