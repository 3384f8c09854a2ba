"""How tokens of commands are seen as paths in one place, under one revision (core-bash.md 11)."""

from __future__ import annotations

from audit.core.bash.classify import Shapes
from audit.core.paths.access_path import AccessPath, Paths
from audit.core.record import Kept

Seen = tuple[AccessPath, AccessPath | None]
"""What a token that looks like a path shows to the two path surfaces.

First the path as `path` rules see it, which may have no form at all (X2.2); then as `external_directory`
rules see it, None inside the working directory (X1).
"""


class TokenPaths:
    """Reads tokens as paths in one place. Texts are code-unit strings.

    Answers to short tokens are kept, because the commands of one place name the same paths again and again.
    """

    __slots__ = ("_moves_candidates", "_one_form", "paths", "probes", "rejection", "seen", "shapes")

    def __init__(self, paths: Paths, shapes: Shapes, *, moves_candidates: bool, probes: bool) -> None:
        self.paths = paths
        self.shapes = shapes
        self.probes = probes
        """Whether a token is a path, too, where something exists under its name."""
        self._moves_candidates = moves_candidates
        self._one_form = moves_candidates and paths.candidate_form == paths.outside_form
        self.rejection: Kept[str, str | None] = Kept(shapes.rejection, len)
        """Why a token can be no path; None if it may be one."""
        self.seen: Kept[tuple[str, str | None], Seen | None] = Kept(
            self._seen_if_there if probes else self._seen, _length
        )
        """What a token shows, by its text and base; None if it is rejected or, without a shape, not there."""

    def of(self, text: str, base: str | None) -> Seen | None:
        """Return what a token shows under a base; None if it is no path."""
        return self.seen[text, base]

    def directory(self, base: str) -> str:
        """Return the directory that a base stands for."""
        return self.paths.flavor.resolve(self.paths.cwd, base) if base else self.paths.cwd

    def probed(self, text: str, base: str | None) -> str | None:
        """Return the path whose existence decides about a token; None where it does not matter."""
        if not self.probes or self.shapes.strict(text) or self.rejection[text] is not None:
            return None
        if base is None and self.shapes.is_relative(text):
            return None
        return self.paths.outside_form(text, self.directory(base or "")).value or None

    def of_workdir(self, workdir: str) -> AccessPath | None:
        """Return the path of a workdir if it is external (X3)."""
        path = self.paths.outside_form(workdir, self.paths.cwd)
        return path if self._is_external(path) else None

    def _seen(self, text_and_base: tuple[str, str | None]) -> Seen | None:
        text, base = text_and_base
        if self.rejection[text] is not None:
            return None
        if base is None and self.shapes.is_relative(text):
            return self._under_unknown(text)
        candidate, outside = self._forms(text, base)
        is_external = outside.value and self.shapes.strict(text) and self._is_external(outside)
        return candidate, outside if is_external else None

    def _seen_if_there(self, text_and_base: tuple[str, str | None]) -> Seen | None:
        """Do so where a token without the shape in question is a path if it exists (16.2, bare-tokens)."""
        text, base = text_and_base
        if self.rejection[text] is not None:
            return None
        is_broad = self.shapes.broad(text)
        if base is None and self.shapes.is_relative(text):
            return self._under_unknown(text) if is_broad else None
        candidate, outside = self._forms(text, base)
        is_strict = self.shapes.strict(text)
        is_there = not is_strict and bool(outside.value) and self.paths.exists(outside.value)
        if not is_broad and not is_there:
            return None
        is_external = outside.value and (is_strict or is_there) and self._is_external(outside)
        return candidate, outside if is_external else None

    def _under_unknown(self, text: str) -> Seen:
        """Return what a relative token shows where its directory is unknown (X1.2, X2.2)."""
        in_cwd = self.paths.outside_form(text, self.paths.cwd)
        outside = bool(in_cwd.boundary) and in_cwd.boundary not in self.paths.devices
        candidate = self.paths.literal_candidate(text)
        return candidate, in_cwd if outside and self.shapes.strict(text) else None

    def _forms(self, text: str, base: str | None) -> tuple[AccessPath, AccessPath]:
        directory = self.directory(base or "")
        outside = self.paths.outside_form(text, directory)
        if self._one_form:
            return outside, outside
        directory = directory if self._moves_candidates else self.paths.cwd
        return self.paths.candidate_form(text, directory), outside

    def _is_external(self, path: AccessPath) -> bool:
        return not path.boundary or self.paths.is_outside(path.boundary)


def _length(text_and_base: tuple[str, str | None]) -> int:
    text, base = text_and_base
    return len(text) + len(base or "")
