/**
 * Loaded before a process's own modules (`node --import`): keeps what Node compiles of them, types stripped, beside the
 * packages. A process then starts in half the time and without the memory that stripping takes (about 40 MiB).
 */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compile", import.meta.url)));
