import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TemplateFilesFile } from "../index.ts";

const ownFiles = new Set(["template.json", "subject.txt", "body.html", "body.mjml", "body.txt", "text.txt"]);

/** All files below a folder, with slashes and relative to it; hidden ones are left out. */
export function readFolder(folder: string): TemplateFilesFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => !name.split("/").some((part) => part.startsWith(".")))
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .sort()
    .map((name) => ({ path: name, content: readFileSync(path.join(folder, name), "utf8") }));
}

/**
 * Makes the folder contain exactly these files: writes what differs and removes template files that are no longer among
 * them. Other files stay. Returns how many were written and removed.
 */
export function writeFolder(
  folder: string,
  files: readonly TemplateFilesFile[],
): { written: number; removed: number } {
  mkdirSync(folder, { recursive: true });
  const wanted = new Map(files.map((file) => [file.path, file.content]));
  const there = new Map(readFolder(folder).map((file) => [file.path, file.content]));
  let written = 0;
  for (const [name, content] of wanted) {
    if (there.get(name) === content) continue;
    const file = path.resolve(folder, name);
    if (!file.startsWith(path.resolve(folder) + path.sep))
      throw new Error(`The path ${name} leads out of ${folder}.`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    written++;
  }
  let removed = 0;
  for (const name of there.keys()) {
    if (wanted.has(name) || name.split("/").length !== 3 || !ownFiles.has(path.posix.basename(name)))
      continue;
    rmSync(path.join(folder, name));
    removed++;
    removeEmpty(path.dirname(path.join(folder, name)), folder);
  }
  return { written, removed };
}

function removeEmpty(folder: string, top: string): void {
  if (path.resolve(folder) === path.resolve(top) || readdirSync(folder).length > 0) return;
  rmSync(folder, { recursive: true });
  removeEmpty(path.dirname(folder), top);
}
