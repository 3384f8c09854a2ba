// node engine.mjs BUNDLE: a bundle of build.mjs as an engine, protocol version 1 (docs/engine-protocol.md).
import fs from "node:fs";
import nodePath from "node:path";
import { pathToFileURL } from "node:url";

import { Failure, FITS, gatesOf, programOf } from "./answers.mjs";
import { World } from "./world.mjs";

const READERS = new Set(["read", "find", "grep", "ls"]); // tools that infrastructure directories are for

const bundle = nodePath.resolve(process.argv[2]);
const about = JSON.parse(fs.readFileSync(nodePath.join(bundle, "package.json"), "utf8"));
const world = (globalThis.__engine = new World());

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

let finest = "decision"; // the detail that answers have
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
  const decision = result?.block ? "deny" : record.prompts ? "ask" : "allow";
  if (finest === "decision") return { type: "decision", id: message.id, decision };
  const gates = gatesOf(record);
  const first = gates.find((gate) => gate.outcome === "check" && gate.state !== "allow")?.state ?? decision;
  const shown = finest === "program" ? programOf(record.program, place.cwd) : {};
  return { type: "decision", id: message.id, decision, first, ...shown, gates };
}

let stamps = 0; // a policy that is defined again is another one
const own = (members) => Object.assign(Object.create(null), members); // an agent may be called `constructor`
function define(message) {
  if (typeof message.name !== "string") throw new Failure("malformed", "a policy needs a `name`");
  if (message.permission !== undefined && (message.permission === null || typeof message.permission !== "object"))
    throw new Failure("policy", "`permission` is no object");
  const configText = JSON.stringify({ permissionReviewLog: false, ...message.config });
  const named = Object.fromEntries(["agents", "project_agents"].map((key) => [key, own(message[key])]));
  policies.set(message.name, { ...message, ...named, configText, stamp: String((stamps += 1)) });
}

function details(own) {
  const program = own.BashProgram?.prototype;
  const shows = ["commands", "externalPaths", "pathRuleCandidates"].every((name) => program && name in program);
  const gates = ["describeToolGate", "describeBashPathGate"].every((name) => about.gates.includes(name));
  return ["decision", ...(gates ? ["gates"] : []), ...(gates && shows ? ["program"] : [])];
}

// A question that has something of everything in its answer.
const PROBE = {
  policy: "",
  agent: "probe",
  call: { tool: "bash", input: { command: "sudo ls ../a | cat /b" } },
  place: { cwd: "/srv/project", home: "/home/user" },
};
const every = (action) => ({ "*": action });
const SERVED = [
  [{}, "allow"],
  [{ permission: every("deny") }, "deny"],
  [{ project: every("deny") }, "deny"],
  [{ agents: { probe: every("deny") } }, "deny"],
  [{ project_agents: { probe: every("deny") } }, "deny"],
];

// A state that takes its policy from elsewhere would decide by none, and nobody would see it.
async function prove() {
  const call = { tool: "bash", input: { command: "true" } };
  for (const [scope, expected] of SERVED) {
    define({ name: PROBE.policy, permission: every("allow"), ...scope });
    const { decision } = await decide({ ...PROBE, call });
    const told = Object.keys(scope)[0] ?? "permission";
    if (decision !== expected)
      throw new Error(`it does not decide by the policy that it is served: ${decision}, not ${expected}, by \`${told}\``);
  }
}

async function fits(detail) {
  finest = detail;
  try {
    return FITS[detail](await decide(PROBE));
  } catch {
    return false; // told as a failure when it is asked
  }
}

// Leave out what a state of other shapes does not have: it is driven, at less detail.
async function fitting(told) {
  define({ name: PROBE.policy, permission: every("ask") });
  const [least, ...more] = told;
  const kept = [least];
  for (const detail of more) {
    if (!(await fits(detail))) break;
    kept.push(detail);
  }
  policies.delete(PROBE.policy);
  return kept;
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

const possible = details(await load("posix"));
await prove().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(3);
});
const told = await fitting(possible);
finest = told.at(-1);
await say({
  type: "hello",
  protocol: 1,
  engine: "pi-permission-system",
  revision: about.version,
  switches: {},
  details: told,
});
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
