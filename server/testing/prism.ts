/**
 * Serves a provider's own API description in this process: it answers requests that fit the description
 * and refuses the others with 422. The descriptions lie beside the project and are not part of it; what is
 * checked against them is left out, loudly, where they are missing.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { createServer } from "@stoplight/prism-http-server";

type Operations = Parameters<typeof createServer>[0];
type Logger = Parameters<typeof createServer>[1]["components"]["logger"];

const DESCRIPTIONS = new URL("../../../shared/provider-contracts/", import.meta.url);

export type ServedDescription = { baseUrl: string; close: () => Promise<void> };

const missing = new Set<string>();

/** The description's path, or null after saying on the console that a check is left out. */
export function descriptionFile(name: string): string | null {
  const file = fileURLToPath(new URL(name, DESCRIPTIONS));
  if (existsSync(file)) return file;
  if (missing.has(file)) return null;
  missing.add(file);
  process.stderr.write(`SKIPPED: requests are not checked against ${name}: ${file} does not exist\n`);
  return null;
}

/**
 * @param file an OpenAPI description. Keep a request that must be refused beside those that must pass:
 *   Prism accepts every body, silently, when it cannot compile a schema.
 */
export async function serveDescription(file: string): Promise<ServedDescription> {
  const server = createServer(await readDescription(file), {
    cors: false,
    config: {
      mock: { dynamic: false },
      isProxy: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
    },
    components: { logger: silentLogger() },
  } as Parameters<typeof createServer>[1]);
  const baseUrl = await server.listen(0, "127.0.0.1");
  return { baseUrl, close: () => server.close() };
}

/** The operations of a description, without references. */
export function readDescription(file: string): Promise<Operations> {
  // Prism's own loader; the server package does not hand it on.
  const requireFromPrism = createRequire(import.meta.resolve("@stoplight/prism-http-server"));
  const loader = requireFromPrism("@stoplight/prism-http/dist/utils/operations") as {
    getHttpOperationsFromSpec: (file: string) => Promise<Operations>;
  };
  return loader.getHttpOperationsFromSpec(file);
}

function silentLogger(): Logger {
  const silent = (): void => undefined;
  const logger = {
    trace: silent,
    debug: silent,
    info: silent,
    warn: silent,
    error: silent,
    fatal: silent,
    success: silent,
  };
  return { ...logger, child: () => silentLogger() } as unknown as Logger;
}
