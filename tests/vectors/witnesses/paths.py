"""Token classification, path forms and the two path projections (core-bash.md 9, 10 and 11)."""

from __future__ import annotations

from .case import POSIX, Json, calls, linked, paths, shell

LINKS = linked(
    {
        "/srv/shop/annex": "/opt/annex",
        "/srv/shop/crates": "/srv/shop/stores/crates",
        "/var/till": "/srv/shop/till",
        "/opt/annex/loop": "/opt/annex/loop/again",
        "/mnt": "/media/mnt",
    }
)
LINKED_CWD = linked({"/srv": "/data/srv"})

CALLS: list[Json] = [
    *shell(
        "shape-rejected",
        "C1",
        [
            "pack '' -x/y --out=/opt/x -",
            "pack lane=/opt/x ./lane=/opt/x lane=x",
            "pack https://till.example/a/b s3+v4://x/y 9p://x/y",
            "pack @scope/box @/box @",
            "pack 'a/.*' 'a/.+' 'a/b\\|c' 'a/\\(b' '/[ab]/c' 'a^/b' './[]'",
            "pack '/opt/[a' '/opt/a]' '/opt/*' '/opt/?.'",
            "pack file:/opt/x c://opt/x",
            "pack =/x /=x",
        ],
    ),
    *shell(
        "shape-strict",
        "C2",
        [
            "pack /opt/box /",
            "pack ~/box ~",
            "pack a..b box..",
            "pack z:/box 'Z:\\box' z:box zz:/box",
            "pack ~till/box ~\\\\box",
            "pack crates/../../box",
        ],
    ),
    *shell(
        "shape-broad",
        "C3",
        [
            "pack .hidden . ..",
            "pack crates/box crates/",
            "pack dir\\\\box 'dir\\box'",
            "pack v1..v2 main..HEAD",
            "pack a.b plain",
        ],
    ),
    *shell("shape-drive", "C4", ["pack C:/ledger 'd:\\ledger' E:", "cd $LANE && pack C:/ledger"]),
    *shell("shape-slashes", "C5", ["pack / // ///", "pack ./ .//"]),
    *shell(
        "promotion",
        "C6",
        [
            "pack vault",
            "pack ledger.1 ledger.12 ledger.",
            "pack till.pem sub/till.pem",
            "pack VAULT vault.txt",
            "pack -vault lane=vault vault",
            "pack 'vault' \"vau\"lt v\\ault",
            "cd $LANE && pack vault ledger.2",
            "cd crates && pack vault",
            "pack @vault",
            "grep vault vault",
            "pack > vault",
            "pack 12 ledger.\U0001f4e6 ledger.\U0001f4e6x",
            "pack free",
        ],
    ),
    *shell("promotion-star", "C6", ["pack vault", "pack ./vault", "pack q"], policy="star-deny"),
    *shell(
        "promotion-scope",
        "C6",
        ["pack vault", "pack till.key", "pack stamp"],
        policy="scoped-paths",
        agent="packer",
    ),
    *shell("promotion-no-agent", "C6", ["pack vault", "pack till.key", "pack stamp"], policy="scoped-paths"),
    *shell("promotion-yolo", "C6", ["pack vault", "pack note"], policy="yolo"),
    *shell(
        "path-literal",
        "P1",
        [
            'pack "\'/opt/box\'" "\'./box"',
            'pack " ./box " "./box\u00a0"',
            "pack @/opt/box @@./box",
            'pack "./box\u0085" "\u1680./box\u1680"',
            'pack "./box\\n"',
            'pack " /opt/box"',
        ],
    ),
    *shell(
        "path-home",
        "P2",
        [
            "pack ~/box ~/a/../b ~/",
            'pack $HOME/box "$HOME/box" $HOME',
            "pack ${HOME}/box",
            "pack $HOMEX/box ~mara/box",
            "pack '~/box' \"~/box\"",
            "pack '$HOME/box' ~/../joe/box",
        ],
    ),
    *shell(
        "path-lexical",
        "P3",
        [
            "pack ./a/../b ./a//b ./a/./b/",
            "pack ../shop/box ../shopper/box",
            "pack /srv/shop /srv/shop/ /srv",
            "pack ../../../../etc/x",
        ],
    ),
    *shell(
        "path-resolved",
        "P5",
        [
            "pack ./annex/box /srv/shop/annex/box",
            "pack ./crates/box ./crates",
            "pack /var/till/box /var/tills",
            "pack /opt/annex/loop/x",
            "pack /mnt/x /media/mnt/x /mnt",
            "cd annex && pack ./box ../box",
            "cd /var/till && pack ./box",
            "cd $LANE && pack ./annex/../x",
        ],
        place=LINKS,
    ),
    *paths(
        "path-resolved-read",
        "P5",
        "read",
        ["annex/box", "/var/till/box", "/mnt/x", "crates/box.pem"],
        place=LINKS,
    ),
    *shell(
        "path-linked-cwd",
        "P10",
        ["pack /data/srv/shop/box", "pack ../box", "pack /srv/other"],
        place=LINKED_CWD,
    ),
    *shell(
        "path-aliases",
        "P6",
        ["pack ./box /srv/shop/box crates/../box", "pack '*' ./*", "pack . ./ ..", "pack ..box ..."],
    ),
    *shell(
        "path-outside",
        "P10",
        [
            "pack /dev/null /dev/stdin /dev/stdout /dev/stderr",
            "pack /dev/tty /dev/null/x /dev/fd/1",
            "pack > /dev/null 2> /dev/stderr",
        ],
    ),
    *shell("path-cwd-root", "P9", ["pack /etc/x ../a ./b"], place={**POSIX, "cwd": "/"}),
    *shell("path-cwd-slash", "P9", ["pack /srv/shop/a ../a ./b"], place={**POSIX, "cwd": "/srv/shop/"}),
    *shell("path-cwd-dots", "P9", ["pack /srv/shop/a ../a"], place={**POSIX, "cwd": "/srv/./x/../shop"}),
    *shell(
        "external-order",
        "X1",
        [
            "pack /opt/b /opt/a /opt/b /opt/./a",
            "pack /opt/cache/a /etc/b /var/c",
            "cd $LANE && pack ../a ./b /opt/c ~/d a..b",
            "cd $LANE && pack /dev/../x ../../dev/null",
            "cd /opt && pack ../srv/shop/x ../etc/x",
            "pack a..b/../../../x",
        ],
    ),
    *shell(
        "external-linked",
        "X4",
        ["pack /var/till /srv/shop/till", "pack /opt/annex/x ./annex/x /srv/shop/annex/x"],
        place=LINKS,
    ),
    *shell(
        "candidate-order",
        "X2",
        [
            "pack ./b ./a ./b crates/../a",
            "cd $LANE && pack ./b crates/a /srv/shop/c ~/d",
            "cd crates && pack ./a ../crates/a",
            "pack ./a && cd . && pack ./a",
        ],
    ),
    *calls(
        "external-workdir",
        "X3",
        [
            ("run_shell", {"script": "pack /opt/x", "dir": "/opt/x"}),
            ("run_shell", {"script": "pack ./x", "dir": "/opt/cache/deep"}),
            ("run_shell", {"script": "pack ./x", "dir": "~"}),
            ("run_shell", {"script": "pack ./x", "dir": "/srv/shop"}),
            ("run_shell", {"script": "", "dir": "/opt/x"}),
            ("run_shell", {"script": "pack ./x", "dir": " '/opt/x' "}),
        ],
        policy="aliases",
    ),
]
