import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/** So large that the best compression takes seconds for a few bytes less. */
const LARGE_BYTES = 600_000;
const atOnce = 4;

/** Packs the scripts and styles of a build beside themselves (`name.js.br`), for `server/front-door/packed-files.ts`. */
export async function packFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:js|css)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  const next = files.values();
  async function packSome() {
    for (const file of next) {
      const content = await readFile(file);
      const packed = await compress(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: content.length > LARGE_BYTES ? 9 : constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      });
      if (packed.length < content.length) await writeFile(`${file}.br`, packed);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, packSome));
}
