import type { TemplateFile } from "./schemas.ts";

/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** Splits files into calls of at most `maxBytes`, never within a template's folder. */
export function inCalls(files: readonly TemplateFile[], maxBytes: number): TemplateFile[][] {
  const folders = new Map<string, TemplateFile[]>();
  for (const file of files) {
    const folder = file.path.slice(0, Math.max(0, file.path.lastIndexOf("/")));
    const known = folders.get(folder);
    if (known) known.push(file);
    else folders.set(folder, [file]);
  }
  const calls: TemplateFile[][] = [];
  let size = maxBytes;
  for (const folder of folders.values()) {
    const bytes = new TextEncoder().encode(JSON.stringify(folder)).length;
    if (size + bytes > maxBytes) {
      calls.push([]);
      size = 0;
    }
    size += bytes;
    calls.at(-1)?.push(...folder);
  }
  return calls;
}
