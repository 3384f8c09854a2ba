// The world of one question, in place of the machine's: what a bundle of build.mjs gets from Node.
const CONFIG = "/extensions/pi-permission-system/config.json";
const MOST_ROUNDS = 40;
const WRITES = ["appendFileSync", "mkdirSync", "writeFileSync", "renameSync", "unlinkSync", "rmdirSync", "rmSync"];

const refusal = (code, path) => Object.assign(new Error(`${code}: ${path}`), { code });
const slashes = (path) => String(path).replaceAll("\\", "/");

export class World {
  agentDir = "";
  configText = "{}";
  env = {};
  record = null; // what the question at hand has shown so far
  #links = [];
  #entries = null;

  constructor() {
    const found = (path) => this.#exists(String(path));
    const stats = (path, options) => {
      if (found(path)) return { isFile: () => true, isDirectory: () => true, isSymbolicLink: () => false };
      if (options?.throwIfNoEntry === false) return undefined;
      throw refusal("ENOENT", path);
    };
    this.calls = {
      fs: {
        ...Object.fromEntries(WRITES.map((name) => [name, () => undefined])),
        existsSync: found,
        realpathSync: (path) => this.#resolved(String(path)),
        statSync: stats,
        lstatSync: stats,
        readdirSync: () => [],
        readFileSync: (path) => {
          if (this.#isConfig(path)) return this.configText;
          throw refusal("ENOENT", path);
        },
      },
      os: { homedir: () => this.env.HOME, tmpdir: () => "/tmp", platform: () => "linux", EOL: "\n" },
      child_process: { spawnSync: () => ({ status: 1, stdout: "", stderr: "" }) },
    };
  }

  call(module, name, given) {
    const answer = this.calls[module]?.[name];
    if (answer === undefined) throw refusal("ENOSYS", `${module}.${name} is not served`);
    return answer(...given);
  }

  observed(name, describe) {
    const note = (value) => {
      this.record?.gates.push({ name, value });
      return value;
    };
    return (...given) => {
      const value = describe(...given);
      return value instanceof Promise ? value.then(note) : note(value);
    };
  }

  enter(place, configText) {
    const own = place.platform === "win32" ? "\\.pi\\agent" : "/.pi/agent";
    this.agentDir = place.agent_dir ?? place.home + own;
    this.env = { HOME: place.home, USERPROFILE: place.home };
    this.configText = configText;
    this.#links = Object.entries(place.realpath ?? {});
    this.#entries = place.entries ? new Set(place.entries) : null;
  }

  #isConfig(path) {
    return slashes(path) === slashes(this.agentDir) + CONFIG;
  }

  #exists(path) {
    return this.#isConfig(path) || (this.#entries?.has(path) ?? false);
  }

  #resolved(path) {
    let now = path;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const link = this.#links.find(([from]) => now === from || now.startsWith(`${from}/`) || now.startsWith(`${from}\\`));
      if (!link) return now;
      const next = link[1] + now.slice(link[0].length);
      if (next === now) return now;
      now = next;
    }
    throw refusal("ELOOP", path);
  }
}
