import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, platform } from "node:os";
import path from "node:path";
import { UsageError } from "./usage-error.ts";

/** The installation and the key that a command works with. */
export interface Settings {
  baseUrl: string;
  apiKey: string;
  tenantId?: string;
  /** Where they are from, for people. */
  source: string;
}

/** Where `tidings login` keeps them. */
export function settingsFile(env: NodeJS.ProcessEnv): string {
  if (env.TIDINGS_CONFIG) return path.resolve(env.TIDINGS_CONFIG);
  const folder =
    env.XDG_CONFIG_HOME || (platform() === "win32" && env.APPDATA) || path.join(homedir(), ".config");
  return path.join(folder, "tidings", "config.json");
}

function readJson(file: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new UsageError(`${file} is not valid JSON. Delete it and run "tidings login" again.`);
  }
}

const textIn = (from: Record<string, unknown> | undefined, name: string): string | undefined => {
  const value = from?.[name];
  return typeof value === "string" && value ? value : undefined;
};

/** What `npm start` wrote in this checkout or one above: for trying things out beside it. */
function quickstart(env: NodeJS.ProcessEnv, sandbox: boolean): Settings | undefined {
  for (let folder = process.cwd(); ; folder = path.dirname(folder)) {
    const file = path.resolve(folder, env.DATA_DIR ?? ".data", "quickstart.json");
    const found = readJson(file);
    const [baseUrl, tenantId] = [textIn(found, "baseUrl"), textIn(found, "tenantId")];
    const apiKey = textIn(found?.keys as Record<string, unknown> | undefined, sandbox ? "sandbox" : "live");
    if (baseUrl && apiKey) return { baseUrl, apiKey, ...(tenantId ? { tenantId } : {}), source: file };
    if (folder === path.dirname(folder)) return undefined;
  }
}

/**
 * From the environment, else from `tidings login`, else from the quickstart of a checkout. Somebody who asks for the sandbox never gets
 * a key of another environment.
 */
export function readSettings(env: NodeJS.ProcessEnv, sandbox: boolean): Settings {
  const found = findSettings(env, sandbox);
  if (sandbox && !found.apiKey.startsWith("tdg_sbx_"))
    throw new UsageError(
      `--sandbox needs a sandbox key, but the one of ${found.source} belongs to another environment. Use a key that begins with tdg_sbx_, or leave --sandbox out.`,
    );
  return found;
}

function findSettings(env: NodeJS.ProcessEnv, sandbox: boolean): Settings {
  const { TIDINGS_URL, TIDINGS_API_KEY, TIDINGS_TENANT_ID } = env;
  if (TIDINGS_URL && TIDINGS_API_KEY)
    return {
      baseUrl: TIDINGS_URL,
      apiKey: TIDINGS_API_KEY,
      ...(TIDINGS_TENANT_ID ? { tenantId: TIDINGS_TENANT_ID } : {}),
      source: "TIDINGS_URL and TIDINGS_API_KEY",
    };
  if (TIDINGS_URL || TIDINGS_API_KEY)
    throw new UsageError(`Set ${TIDINGS_URL ? "TIDINGS_API_KEY" : "TIDINGS_URL"} as well.`);
  const file = settingsFile(env);
  const stored = readJson(file);
  const [baseUrl, apiKey, tenantId] = [
    textIn(stored, "baseUrl"),
    textIn(stored, "apiKey"),
    textIn(stored, "tenantId"),
  ];
  if (baseUrl && apiKey) {
    if (platform() !== "win32" && (statSync(file).mode & 0o077) !== 0)
      throw new UsageError(`Others can read the API key in ${file}. Run: chmod 600 ${file}`);
    return { baseUrl, apiKey, ...(tenantId ? { tenantId } : {}), source: file };
  }
  const found = quickstart(env, sandbox);
  if (found) return found;
  throw new UsageError(
    'Run "tidings login", or set TIDINGS_URL and TIDINGS_API_KEY: there is no installation to talk to.',
  );
}

/** Keeps them in a file that only its owner may read, in one step. Answers its path. */
export function writeSettings(env: NodeJS.ProcessEnv, settings: Omit<Settings, "source">): string {
  const file = settingsFile(env);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${String(process.pid)}.tmp`;
  writeFileSync(next, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
  return file;
}

/** Answers whether there were any. */
export function removeSettings(env: NodeJS.ProcessEnv): boolean {
  const file = settingsFile(env);
  const there = existsSync(file);
  rmSync(file, { force: true });
  return there;
}
