"""The decision core: `decide(call, ruleset, place, revision)`, a pure function of data."""
