"""Options that several commands share, declared once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from audit.core.paths.flavor import flavor
from audit.core.place import NOTHING_KNOWN, Place, Platform
from audit.core.revision import LATEST
from audit.workflows.policies import PolicyPaths, load_policies
from audit.workflows.single import Setting
from audit.worlds.world import World, require_platform

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)


def _stack(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        return functools.reduce(lambda decorated, add: add(decorated), reversed(decorators), function)

    return decorate


scope_options = _stack(
    click.option("--project-policy", type=FILE, help="Configuration file of the project scope."),
    click.option("--agents-dir", type=FILE, help="Folder of agent files (NAME.md), global scope."),
    click.option("--project-agents-dir", type=FILE, help="Folder of agent files of the project."),
)

call_options = _stack(
    click.argument("command_text", metavar="[COMMAND]", required=False),
    click.option("--tool", default="bash", show_default=True, help="Name of the tool that is called."),
    click.option("--path", help="Path argument of the call."),
    click.option("--input", "given", help="Further input of the call, as a JSON object."),
)

core_option = click.option(
    "--core", default=LATEST.name, show_default=True, help="Revision of the decision core."
)

engine_options = _stack(
    click.option(
        "--engine",
        metavar="SPEC",
        help="What decides for the baseline: core:NAME, git:REF, git:REF/core:NAME, package:DIR or "
        f"exec:COMMAND.  [default: core:{LATEST.name}]",
    ),
    click.option(
        "--candidate-engine",
        metavar="SPEC",
        help="What decides for the candidate.  [default: the baseline's]",
    ),
    click.option("--core", metavar="NAME", help="Short for --engine core:NAME."),
    click.option("--candidate-core", metavar="NAME", help="Short for --candidate-engine core:NAME."),
)

platform_option = click.option(
    "--platform", type=click.Choice([platform.value for platform in Platform]), help="Path semantics."
)

place_options = _stack(
    click.option("--cwd", help="Working directory of every call.  [default: from the log's own evidence]"),
    click.option("--home", help="Home directory.  [default: from the log's own evidence]"),
    platform_option,
)

places_option = click.option(
    "--places", type=FILE, help="Place file (TOML): what the log does not say about the places of its calls."
)

world_option = click.option(
    "--world", type=FILE, help="World of `snapshot`: what exists, for core revisions that look."
)

traffic_option = click.option(
    "--traffic",
    multiple=True,
    metavar="PATH",
    help="Session files of the agent (file, folder or glob), which hold every call; may be repeated.",
)

comparison_options = _stack(
    click.option("--policy", type=FILE, help="Policy of the baseline: JSON with comments."),
    click.option("--candidate-policy", type=FILE, help="Policy of the candidate.  [default: the baseline's]"),
    scope_options,
    place_options,
    places_option,
    world_option,
    traffic_option,
)
"""What both sides of a comparison decide, and where: all but the engines."""

format_option = click.option(
    "--format", "form", type=click.Choice(["text", "md", "json"]), default="text", show_default=True
)

output_option = click.option(
    "-o", "--output", type=FILE, help="Write to this file instead of standard output."
)

single_options = _stack(
    click.option("--policy", type=FILE, required=True, help="Policy file: JSON with comments."),
    scope_options,
    click.option("--cwd", help="Working directory of the call.  [default: this folder]"),
    click.option("--home", help="Home directory.  [default: yours]"),
    platform_option,
    world_option,
    click.option("--agent", help="Name of the agent that makes the call."),
    core_option,
)


def absolute(path: str | None, platform: Platform, option: str) -> str | None:
    """Return a directory as given; raise a usage error for one that is not absolute."""
    if path is not None and not flavor(platform).is_absolute(path):
        raise click.UsageError(f"{option} takes an absolute path of the platform {platform}, not `{path}`")
    return path


def spec_of(engine: str | None, core: str | None, side: str) -> str | None:
    """Return the engine that one side's pair of `engine_options` names; `side` is how its options begin."""
    if engine is not None and core is not None:
        raise click.UsageError(f"give --{side}engine or --{side}core, not both")
    return engine if core is None else f"core:{core}"


def setting(given: dict[str, Any]) -> Setting:
    """Return the setting that `single_options` describe; notes on the policy go to standard error."""
    [policy] = load_policies(
        [
            PolicyPaths(
                given["policy"], given["project_policy"], given["agents_dir"], given["project_agents_dir"]
            )
        ]
    )
    tell_notes(policy.notes)
    platform = Platform(given["platform"] or "posix")
    world = world_of(given)
    require_platform(world, platform)
    place = Place(
        cwd=absolute(given["cwd"], platform, "--cwd") or str(Path.cwd()),
        home=absolute(given["home"], platform, "--home") or str(Path.home()),
        platform=platform,
        links=() if world is None else world.links,
        entries=NOTHING_KNOWN if world is None else world.entries,
    )
    return Setting(policy.sources, place, given["core"], given["agent"])


def world_of(given: Mapping[str, Any]) -> World | None:
    """Return the world that `world_option` names."""
    if given["world"] is None:
        return None
    from audit.worlds.read import read_world  # loads polars, which a single call does without

    return read_world(given["world"])


def check_call(command_text: str | None, tool: str, path: str | None) -> None:
    """Raise a usage error for words of `call_options` that describe no one call."""
    if command_text is not None and tool != "bash":
        raise click.UsageError(
            "a COMMAND is for the shell tool; describe the call of another --tool with --input"
        )
    if path is not None and tool == "bash":
        raise click.UsageError("--path needs the --tool it is for")


def tell_notes(notes: tuple[str, ...]) -> None:
    """Print notes about a policy where they disturb no output."""
    for note in dict.fromkeys(notes):
        click.echo(f"note: {note}", err=True)
