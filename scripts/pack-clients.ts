/** `npm run sdk`: builds the TypeScript client and packs it as `dist/tidings-<version>.tgz`, to be installed from there. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { root } from "./lib/paths.ts";

const folder = path.join(root, "packages/sdk-ts");
const target = path.resolve("dist");
rmSync(path.join(folder, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [path.join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
  stdio: "inherit",
});
mkdirSync(target, { recursive: true });
const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", target], {
  cwd: folder,
  encoding: "utf8",
  shell: process.platform === "win32",
});
const [{ filename, size }] = JSON.parse(packed) as [{ filename: string; size: number }];
console.log(`${path.join("dist", filename)} (${String(Math.round(size / 1024))} KiB)`);
