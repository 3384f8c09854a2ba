// What the package has shown about one question, in the words of the protocol.
const GATES = {
  describeSkillReadGate: "skill_read",
  describePathGate: "path",
  describeExternalDirectoryGate: "external_directory",
  describeBashExternalDirectoryGate: "bash_external_directory",
  describeBashPathGate: "bash_path",
  describeToolGate: "tool",
};
const SETTLED = { policy_allow: "allow", session_approved: "allow", auto_approved: "allow", policy_deny: "deny" };

export class Failure extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

function gateOf({ name, value }, events) {
  const gate = GATES[name];
  if (!value) return { gate, outcome: "none" };
  const bypass = "action" in value;
  // A check, and a bypass that carries a decision, tells of itself in exactly one event, in order.
  const event = bypass && !value.decision ? undefined : events.shift();
  if (bypass) return { gate, outcome: "bypass", state: "allow", surface: value.decision?.surface, value: value.decision?.value };
  const check = value.preCheck ?? value.preResolved;
  return {
    gate,
    outcome: "check",
    state: check?.state ?? (event && (SETTLED[event.resolution] ?? "ask")),
    surface: value.decision.surface,
    value: value.decision.value,
    matched_pattern: check?.matchedPattern ?? event?.matchedPattern ?? undefined,
    origin: check?.origin ?? event?.origin ?? undefined,
    context: check?.commandContext ?? undefined,
    paths: value.logContext?.externalPaths ?? undefined,
  };
}

export function gatesOf({ gates, events }) {
  // One that is not known here would be missing, and its event would pass for another gate's.
  const unknown = gates.find(({ name }) => !(name in GATES));
  if (unknown) throw new Failure("unsupported", `the package asked \`${unknown.name}\`, a gate that is not known here`);
  return gates.map((gate) => gateOf(gate, events));
}

export function programOf(program, cwd) {
  if (!program) return { units: null, external: null, candidates: null };
  return {
    units: program.commands().map((unit) => ({
      text: unit.text,
      context: unit.context ?? undefined,
      wrapper: unit.wrapper ?? unit.wrapperKind ?? undefined,
    })),
    external: program.externalPaths(cwd).map((path) => ({
      value: path.value(),
      match_values: path.matchValues(),
      boundary: path.boundaryValue(),
    })),
    candidates: program.pathRuleCandidates(cwd).map((candidate) => ({
      token: candidate.token,
      values: candidate.path?.matchValues() ?? candidate.policyValues,
    })),
  };
}

const isText = (value) => typeof value === "string";
// Whether the answer to a question that touches everything has all of a detail, in its shapes.
export const FITS = {
  gates: ({ first, gates }) =>
    first === "ask" &&
    gates.every((gate) => gate.outcome !== "check" || [gate.state, gate.surface, gate.value].every(isText)),
  program: ({ units, external, candidates }) =>
    [units, external, candidates].every((part) => part.length > 0) &&
    units.every((unit) => isText(unit.text)) &&
    external.every((path) => isText(path.value) && isText(path.boundary) && Array.isArray(path.match_values)) &&
    candidates.every((candidate) => isText(candidate.token) && Array.isArray(candidate.values)),
};
