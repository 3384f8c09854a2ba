// node build.mjs DIR OUT: bundle a pi-permission-system package for both platforms, cut off from the machine.
//
// The package's own modules are bundled as they are. What they import from Node is replaced by the shims of
// engine.mjs, so that the bundle sees the world of a question and nothing else; functions that describe a gate
// are re-exported through an observer with the same arguments and results.
import fs from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import nodePath from "node:path";
import { pathToFileURL } from "node:url";

const [dir, out] = process.argv.slice(2).map((given) => nodePath.resolve(given));
const manifest = JSON.parse(fs.readFileSync(nodePath.join(dir, "package.json"), "utf8"));
const index = nodePath.resolve(dir, manifest.pi?.extensions?.[0] ?? "src/index.ts");
const src = nodePath.dirname(index);
const fromPackage = createRequire(nodePath.join(dir, "package.json"));
const fromHere = createRequire(import.meta.url);

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(3);
}

async function bundler() {
  for (const require of [fromHere, fromPackage]) {
    try {
      return await import(pathToFileURL(require.resolve("esbuild")).href);
    } catch {
      // looked for in the next place
    }
  }
  return stop(`esbuild is missing: run \`npm ci --prefix ${import.meta.dirname}\``);
}

const sources = fs
  .readdirSync(src, { recursive: true })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
  .map((name) => nodePath.join(src, name));
const declared = new Map(); // exported function or class -> its file
const gates = new Map(); // file -> the gate descriptions it exports
for (const file of sources) {
  const exported = /^export (?:async )?(?:abstract )?(?:class|function) (\w+)/gm;
  for (const [, name] of fs.readFileSync(file, "utf8").matchAll(exported)) {
    declared.set(name, file);
    if (/^describe\w+Gate$/.test(name)) gates.set(file, [...(gates.get(file) ?? []), name]);
  }
}
if (!declared.has("FilePolicyLoader")) stop("it has no FilePolicyLoader, where policies come from");
const wanted = ["FilePolicyLoader", "BashProgram"].filter((name) => declared.has(name));
const entry = [
  `export { default } from ${JSON.stringify(index)};`,
  ...wanted.map((name) => `export { ${name} } from ${JSON.stringify(declared.get(name))};`),
].join("\n");

const isName = (key) => /^[A-Za-z_$][\w$]*$/.test(key) && !["default", "module.exports"].includes(key);

function refusing(name, module) {
  const names = Object.keys(module).filter(isName);
  const members = names.map((key) =>
    typeof module[key] === "function"
      ? `export const ${key} = (...given) => globalThis.__engine.call("${name}", "${key}", given);`
      : `export const ${key} = undefined;`,
  );
  const native = names.includes("realpathSync") ? "realpathSync.native = realpathSync;" : "";
  return `${members.join("\n")}\n${native}\nexport default { ${names.join(", ")} };`;
}

function paths(platform) {
  const names = Object.keys(nodePath.posix).filter((key) => isName(key) && key !== "posix" && key !== "win32");
  return `import p from "path"; const f = p.${platform};
export const { ${names.join(", ")} } = f; export const posix = p.posix, win32 = p.win32; export default f;`;
}

const HOST = `const known = { getAgentDir: () => globalThis.__engine.agentDir, getPackageDir: () => undefined };
module.exports = new Proxy(known, { get: (t, k) => (k in t ? t[k] : k === "__esModule" ? true : () => undefined) });`;

async function shims(platform) {
  const contents = { path: paths(platform), "@host": HOST };
  for (const name of ["fs", "fs/promises", "os", "child_process", "net", "http", "https"])
    contents[name] = refusing(name, await import(`node:${name}`));
  return contents;
}

const plugin = (contents) => ({
  name: "permission-audit",
  setup(build) {
    const resolved = (path, args) => build.resolve(path, { resolveDir: src, kind: args.kind, pluginData: "done" });
    build.onResolve({ filter: /^(@earendil-works|@mariozechner)\// }, () => ({ path: "@host", namespace: "shim" }));
    build.onResolve({ filter: /^(node:)?[a-z_]+(\/promises)?$/ }, (args) => {
      const name = args.path.replace(/^node:/, "");
      if (args.namespace !== "shim" && name in contents) return { path: name, namespace: "shim" };
      return isBuiltin(args.path) ? { path: `node:${name}`, external: true } : undefined;
    });
    build.onResolve({ filter: /^observed:/ }, (args) => ({ path: args.path.slice("observed:".length) }));
    build.onResolve({ filter: /^(\.|#src\/|\/|[A-Za-z]:)/ }, async (args) => {
      if (args.pluginData === "done") return undefined;
      const path = args.path.startsWith("#src/") ? nodePath.join(src, args.path.slice(5)) : args.path;
      const found = await build.resolve(path, {
        resolveDir: args.resolveDir || src,
        kind: args.kind,
        pluginData: "done",
      });
      if (!found.errors.length && gates.has(found.path)) return { path: found.path, namespace: "observed" };
      return found;
    });
    build.onResolve({ filter: /^[a-z@]/ }, async (args) => {
      if (args.pluginData === "done") return undefined;
      const found = await resolved(args.path, args);
      // Libraries stay outside, under their own address: they load files of their own.
      return found.errors.length || found.external ? found : { path: pathToFileURL(found.path).href, external: true };
    });
    build.onLoad({ filter: /.*/, namespace: "shim" }, (args) => ({ contents: contents[args.path], loader: "js" }));
    build.onLoad({ filter: /.*/, namespace: "observed" }, (args) => {
      const from = JSON.stringify(`observed:${args.path}`);
      const observers = gates.get(args.path).map(
        (name) => `export const ${name} = globalThis.__engine.observed("${name}", own.${name});`,
      );
      const lines = [`export * from ${from};`, `import * as own from ${from};`, ...observers];
      return { contents: lines.join("\n"), loader: "js", resolveDir: src };
    });
  },
});

const { build } = await bundler();
for (const [platform, host] of [["posix", "linux"], ["win32", "win32"]])
  await build({
    stdin: { contents: entry, resolveDir: src, loader: "ts" },
    outfile: nodePath.join(out, `${platform}.mjs`),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    define: {
      "process.platform": JSON.stringify(host),
      "process.env": "globalThis.__engine.env",
      "import.meta.url": JSON.stringify(pathToFileURL(index).href),
    },
    banner: { js: "const setInterval = () => 0, clearInterval = () => {};" }, // nothing runs beside a question
    plugins: [plugin(await shims(platform))],
  }).catch((error) => stop(`it cannot be bundled: ${error.message}`));
const told = { version: String(manifest.version ?? "unknown"), gates: [...gates.values()].flat() };
fs.writeFileSync(nodePath.join(out, "package.json"), JSON.stringify({ type: "module", ...told }));
