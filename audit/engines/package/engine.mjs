// node engine.mjs BUNDLE: a bundle of build.mjs as an engine, protocol version 1 (docs/engine-protocol.md).
import fs from "node:fs";
import nodePath from "node:path";
import { pathToFileURL } from "node:url";

import { World } from "./world.mjs";

const GATES = {
  describeSkillReadGate: "skill_read",
  describePathGate: "path",
  describeExternalDirectoryGate: "external_directory",
  describeBashExternalDirectoryGate: "bash_external_directory",
  describeBashPathGate: "bash_path",
  describeToolGate: "tool",
};
const SETTLED = { policy_allow: "allow", session_approved: "allow", auto_approved: "allow", policy_deny: "deny" };
const READERS = new Set(["read", "find", "grep", "ls"]); // tools that infrastructure directories are for

const bundle = nodePath.resolve(process.argv[2]);
const about = JSON.parse(fs.readFileSync(nodePath.join(bundle, "package.json"), "utf8"));
const world = (globalThis.__engine = new World());

class Failure extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const nothing = () => {};
const quiet = (members) =>
  new Proxy(members, { get: (own, key) => (key in own ? own[key] : key === "then" ? undefined : nothing) });

// The policy of the question at hand, where the package would read its files.
let policy = null;
const LOADER = {
  loadGlobalConfig: () => ({ permission: policy.permission ?? {} }),
  loadProjectConfig: () => ({ permission: policy.project }),
  loadAgentConfig: (agent) => ({ permission: policy.agents?.[agent] }),
  loadProjectAgentConfig: (agent) => ({ permission: policy.project_agents?.[agent] }),
  getConfiguredMcpServerNames: () => policy.mcp_servers ?? [],
  getCacheStamp: () => policy.stamp,
  getConfigIssues: () => [],
};

const loaded = {};
async function load(platform) {
  if (loaded[platform]) return loaded[platform];
  const own = await import(pathToFileURL(nodePath.join(bundle, `${platform}.mjs`)).href);
  for (const name of Object.keys(LOADER))
    if (own.FilePolicyLoader.prototype[name]) own.FilePolicyLoader.prototype[name] = LOADER[name];
  if (own.BashProgram?.parse) {
    const parse = own.BashProgram.parse;
    own.BashProgram.parse = async function (...given) {
      const program = await parse.apply(this, given);
      if (world.record) world.record.program = program;
      return program;
    };
  }
  loaded[platform] = own;
  return own;
}

function details(own) {
  const program = own.BashProgram?.prototype;
  const shows = ["commands", "externalPaths", "pathRuleCandidates"].every((name) => program && name in program);
  const gates = ["describeToolGate", "describeBashPathGate"].every((name) => about.gates.includes(name));
  return ["decision", ...(gates ? ["gates"] : []), ...(gates && shows ? ["program"] : [])];
}

// One extension for each platform, home and agent; directories and policies change underneath it.
const extensions = new Map();
function extension(own, place, agent) {
  const key = JSON.stringify([place.platform, place.home, world.agentDir, agent]);
  if (extensions.has(key)) return extensions.get(key);
  const made = { handlers: {}, tool: "bash", seen: null };
  own.default(
    quiet({
      on: (event, handler) => (made.handlers[event] = handler),
      events: {
        emit: (_channel, event) => event?.resolution && world.record?.events.push(event),
        on: () => nothing,
      },
      getAllTools: () => [{ name: made.tool }],
      getActiveTools: () => [],
    }),
  );
  const entries = agent ? [{ type: "custom", customType: "active_agent", data: { name: agent } }] : [];
  made.context = quiet({
    hasUI: true,
    mode: "rpc",
    cwd: place.cwd,
    ui: quiet({
      // Every prompt is granted once, so that later gates are asked too and nothing is remembered.
      select: async (_title, options) => {
        if (world.record) world.record.prompts += 1;
        return options[0];
      },
    }),
    sessionManager: quiet({ getEntries: () => entries, getSessionId: () => "audit", getSessionDir: () => "" }),
  });
  extensions.set(key, made);
  return made;
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

function programOf(program, cwd) {
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

function check(message) {
  const { call, place } = message;
  if (typeof call?.tool !== "string" || typeof place?.cwd !== "string" || typeof place?.home !== "string")
    throw new Failure("malformed", "a question needs `call` with `tool`, and `place` with `cwd` and `home`");
  if (place.platform !== undefined && place.platform !== "posix" && place.platform !== "win32")
    throw new Failure("malformed", `unknown platform \`${place.platform}\``);
  if (place.skills?.length && call.tool === "read")
    throw new Failure("unsupported", "skills of a place are not served to a package");
  if (place.infrastructure?.length && READERS.has(call.tool))
    throw new Failure("unsupported", "infrastructure of a place is not served to a package");
}

const policies = new Map();
async function decide(message) {
  check(message);
  const { call, agent = null } = message;
  const place = { platform: "posix", ...message.place };
  policy = policies.get(message.policy);
  if (!policy) throw new Failure("policy", `no policy is named \`${message.policy}\``);
  world.enter(place, policy.configText);
  const own = await load(place.platform);
  const made = extension(own, place, agent);
  made.tool = call.tool;
  const seen = JSON.stringify([place.cwd, policy.configText]);
  if (made.seen !== seen) {
    made.context.cwd = place.cwd;
    await made.handlers.session_start({ reason: "startup" }, made.context);
    made.seen = seen;
  }
  const record = (world.record = { gates: [], events: [], prompts: 0, program: null });
  const asked = { type: "tool_call", toolName: call.tool, toolCallId: "audit", input: call.input ?? {} };
  let result;
  try {
    result = await made.handlers.tool_call(asked, made.context);
  } finally {
    world.record = null;
  }
  const gates = record.gates.filter(({ name }) => name in GATES).map((gate) => gateOf(gate, record.events));
  const decision = result?.block ? "deny" : record.prompts ? "ask" : "allow";
  const first = gates.find((gate) => gate.outcome === "check" && gate.state !== "allow")?.state ?? decision;
  const shown = finest === "program" ? programOf(record.program, place.cwd) : {};
  return { type: "decision", id: message.id, decision, first, ...shown, ...(finest === "decision" ? {} : { gates }) };
}

let stamps = 0;
function define(message) {
  if (typeof message.name !== "string") throw new Failure("malformed", "a policy needs a `name`");
  if (message.permission !== undefined && (message.permission === null || typeof message.permission !== "object"))
    throw new Failure("policy", "`permission` is no object");
  const configText = JSON.stringify({ permissionReviewLog: false, ...message.config });
  policies.set(message.name, { ...message, configText, stamp: String((stamps += 1)) });
}

const say = async (message) => {
  if (!process.stdout.write(`${JSON.stringify(message)}\n`))
    await new Promise((resolve) => process.stdout.once("drain", resolve));
};
const counts = { decided: 0, failed: 0 };

async function fail(id, kind, error) {
  counts.failed += 1;
  await say({ type: "failure", id: id ?? null, kind, message: String(error?.message ?? error) });
}

async function receive(line) {
  if (!line.trim()) return false;
  let message;
  try {
    message = JSON.parse(line);
    if (message?.type === "bye") return true;
    if (message?.type === "policy") define(message);
    else if (message?.type === "decide") {
      const answer = await decide(message);
      counts.decided += 1;
      await say(answer);
    } else throw new Failure("malformed", `unknown type \`${message?.type}\``);
  } catch (error) {
    await fail(message?.id, message ? (error.kind ?? "internal") : "malformed", error);
  }
  return false;
}

const finest = await (async () => {
  const known = details(await load("posix"));
  await say({
    type: "hello",
    protocol: 1,
    engine: "pi-permission-system",
    revision: about.version,
    switches: {},
    details: known,
  });
  return known.at(-1);
})();
process.stdout.on("error", () => process.exit(0)); // the caller went away
let rest = "";
let ended = false;
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split("\n"); // a text line separator may stand inside a line
  rest = lines.pop();
  for (const line of lines) if (!ended) ended = await receive(line);
  if (ended) break;
}
if (!ended) await receive(rest);
await say({ type: "bye", ...counts });
process.exit(0);
