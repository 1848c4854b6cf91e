/**
 * What has to work before anything is installed: plain Node 20, no package, no TypeScript.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

const binFolder = path.join(root, "node_modules", ".bin");
const windows = process.platform === "win32";
const node24 = path.join(binFolder, windows ? "node.cmd" : "node");

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, link?: boolean }>} Packages */

/**
 * @param {string} file
 * @returns {Packages | undefined}
 */
function lockedPackages(file) {
  try {
    /** @type {unknown} */
    const lock = JSON.parse(readFileSync(file, "utf8"));
    return /** @type {{ packages?: Packages }} */ (lock).packages;
  } catch {
    return undefined;
  }
}

/**
 * Compares package-lock.json with the record that npm leaves in node_modules when it has finished.
 * That record is written last, so an interrupted installation counts as none.
 */
function installedMatchesLock() {
  const wanted = lockedPackages(path.join(root, "package-lock.json"));
  const found = lockedPackages(path.join(root, "node_modules", ".package-lock.json"));
  if (!wanted || !found || !existsSync(node24)) return false;
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === "" || entry.link) return true;
    const installed = found[name];
    // Packages for other platforms are locked but not installed.
    if (!installed) return Boolean(entry.optional ?? entry.devOptional);
    return installed.version === entry.version;
  });
}

/** PATH without this project's own commands: npm must not run on the very Node that it is about to replace. */
function pathWithoutProject() {
  const entries = (process.env.PATH ?? "").split(path.delimiter);
  return entries.filter((entry) => path.resolve(entry) !== binFolder).join(path.delimiter);
}

/**
 * @param {string[]} args
 * @returns {boolean} whether npm succeeded
 */
function npm(args) {
  const result = spawnSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
    shell: windows,
    env: { ...process.env, PATH: pathWithoutProject() },
  });
  if (result.error) console.error(`npm could not be run: ${result.error.message}`);
  return result.status === 0;
}

/** Installs the locked packages unless they are there. Ends the process when that fails. */
export function ensureInstalled() {
  if (installedMatchesLock()) return;
  console.log("Installing packages (npm ci) …");
  const started = Date.now();
  // A registry that lacks a package for some other platform makes `npm ci` refuse; `npm install` shrugs.
  const ready =
    npm(["ci", "--include=dev", "--include=optional"]) ||
    npm(["install", "--no-save", "--include=dev", "--include=optional"]);
  if (!ready) {
    console.error("The packages could not be installed; see above.");
    process.exit(1);
  }
  if (!existsSync(node24)) {
    console.error("The `node` package did not unpack its binary: is this platform supported by Node 24?");
    process.exit(1);
  }
  console.log(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/**
 * Hands over to the project's own Node 24 and ends with its exit code. Signals are passed on, because `kill`
 * and service managers reach only this process; after a Ctrl-C, which reaches the whole group, the child sees
 * the signal twice and has to take that as one.
 *
 * @param {string[]} args
 */
export function runWithNode24(args) {
  const child = spawn(node24, args, {
    cwd: root,
    stdio: "inherit",
    shell: windows,
    env: { ...process.env, PATH: [binFolder, pathWithoutProject()].join(path.delimiter) },
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    console.error(`Node 24 could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0));
  });
}
