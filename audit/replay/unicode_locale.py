"""The one fact outside its arguments that a parse depends on: how the C library classes characters."""

from __future__ import annotations

import locale

from audit.core.bash.parser import reads_unicode_spaces

LOCALES = ("", "C.UTF-8", "en_US.UTF-8")


def use_unicode_locale() -> bool:
    """Let the parser class characters as in any UTF-8 locale (core-bash.md 2.6); False where none is there.

    Every process that decides calls this once; under the plain C locale, trees of commands with unusual
    white space would differ.
    """
    for name in LOCALES:
        if reads_unicode_spaces():
            return True
        try:
            locale.setlocale(locale.LC_CTYPE, name)
        except locale.Error:
            continue
    return reads_unicode_spaces()
