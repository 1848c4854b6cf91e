import { BlobReader, configure, TextWriter, ZipReader } from "@zip.js/zip.js";
import type { TemplateFile } from "../../server/template-files/schemas.ts";

configure({ useWebWorkers: false });

/** A zip may not unfold to more than this. */
const maxBytes = 64 * 1024 * 1024;
const maxFiles = 10_000;

/** Why an upload cannot be read, for people. */
export class UploadError extends Error {}

/** The text files of a zip, with the paths that they have in it. */
export async function readZip(blob: Blob): Promise<TemplateFile[]> {
  const reader = new ZipReader(new BlobReader(blob));
  const files: TemplateFile[] = [];
  let bytes = 0;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (entry.directory || isLeftover(entry.filename)) continue;
      bytes += entry.uncompressedSize;
      if (bytes > maxBytes || files.length >= maxFiles) throw new UploadError("The zip is too large.");
      files.push({ path: entry.filename, content: await entry.getData(new TextWriter()) });
    }
  } catch (error) {
    if (error instanceof UploadError) throw error;
    throw new UploadError("This isn't a zip file, or it is damaged.");
  } finally {
    await reader.close();
  }
  return files;
}

/** The text files of a folder that was chosen or dropped. */
export async function readFileList(list: readonly File[]): Promise<TemplateFile[]> {
  const files = list.filter((file) => !isLeftover(file.webkitRelativePath || file.name));
  if (files.length > maxFiles || files.reduce((sum, file) => sum + file.size, 0) > maxBytes) {
    throw new UploadError("The folder is too large.");
  }
  return Promise.all(
    files.map(async (file) => ({ path: file.webkitRelativePath || file.name, content: await file.text() })),
  );
}

const isLeftover = (path: string) =>
  path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX" || part === "Thumbs.db");

/**
 * The files of one application, by the template's folder and file: whatever stands above `order-shipped/email/body.html` is
 * cut off. Of several applications it takes the one that is asked for.
 */
export function ofApplication(files: readonly TemplateFile[], application: string): TemplateFile[] {
  const placed = files.flatMap((file) => {
    const parts = file.path.split("/").filter(Boolean);
    if (parts.length < 3) return [];
    return [{ above: parts.slice(0, -3).join("/"), path: parts.slice(-3).join("/"), content: file.content }];
  });
  const roots = [...new Set(placed.map((file) => file.above))];
  const own = roots.find((root) => root.split("/").at(-1) === application);
  const root = own ?? (roots.length === 1 ? roots[0] : undefined);
  if (roots.length === 0) {
    throw new UploadError(
      "No templates found. Name each template's folder like order-shipped/email.lang-de.",
    );
  }
  if (root === undefined) {
    throw new UploadError(
      `It contains several folders (${roots.slice(0, 5).join(", ")}) and none is called ${application}.`,
    );
  }
  return placed.filter((file) => file.above === root).map(({ path, content }) => ({ path, content }));
}
