import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { pythonOperations } from "../../../scripts/lib/python-operations.ts";
import { childEnvironment } from "../../../server/testing/api-server.ts";
import {
  acceptMessage,
  closeReceivers,
  createWorld,
  endpointAt,
  receiver,
  webhookWorker,
} from "../../../server/testing/webhook-world.ts";
import { losingProxy, seededRandom } from "../../sdk-ts/test/losing-proxy.ts";
import { startWorld } from "../../sdk-ts/test/world.ts";

const folder = path.resolve(import.meta.dirname, "..");

/** A Python that the client supports; undefined when this machine has none. */
function findPython(): string | undefined {
  return ["/usr/bin/python3", "python3", "python"].find((name) => {
    try {
      return (
        execFileSync(name, ["-c", "import sys; print(sys.version_info >= (3, 9))"], {
          encoding: "utf8",
        }).trim() === "True"
      );
    } catch {
      return false;
    }
  });
}
const python = findPython();
if (!python) console.warn("SKIPPED: there is no Python 3.9 or newer, so the Python client is not tested.");

const world = await startWorld();
afterAll(async () => {
  await closeReceivers();
  await world.api.close();
});

it.skipIf(!python)(
  "the Python client sends, retries, iterates, and verifies webhooks of the real service",
  async () => {
    const hooks = await createWorld(world.database);
    const hook = await receiver();
    const { secret } = await endpointAt(hooks, hooks.shop, hook.url);
    await acceptMessage(world.database.worker, hooks, hooks.shop);
    await webhookWorker(world.database.owner, world.database.worker, hooks).drain();
    const random = seededRandom(11);
    const proxy = await losingProxy(world.api.url, () => random() < 0.3);
    const output = await new Promise<string>((resolve) => {
      execFile(
        python!,
        ["-B", "test/test_client.py", "-v"],
        {
          cwd: folder,
          env: childEnvironment({
            TIDINGS_URL: world.api.url,
            TIDINGS_API_KEY: world.keys.sandbox,
            TIDINGS_TENANT_ID: world.tenantId,
            PROXY_URL: proxy.url,
            PYTHONPATH: folder,
            HOOK: JSON.stringify({ ...hook.received[0], secret }),
          }),
        },
        (_error, stdout, stderr) => resolve(stdout + stderr),
      );
    });
    proxy.close();
    expect(output).toMatch(/\nOK\n$/);
    expect(Number(/Ran (\d+) tests/.exec(output)?.[1])).toBeGreaterThanOrEqual(15);
    expect(proxy.counts.lost).toBeGreaterThan(20);
    const { rows } = await world.database.owner.query<{ n: string }>(
      `SELECT count(*) AS n FROM notifications n JOIN send_requests r ON r.tenant_id = n.tenant_id AND r.id = n.request_id
       WHERE r.metadata->>'mark' = 'python'`,
    );
    expect(Number(rows[0]?.n)).toBe(100);
  },
  90_000,
);

it("the Python client has the methods of the TypeScript client; `npm run generate:clients` writes them", () => {
  expect(readFileSync(path.join(folder, "tidings/_resources.py"), "utf8")).toBe(pythonOperations());
  const client = readFileSync(path.join(folder, "tidings/_client.py"), "utf8");
  for (const [, name = ""] of pythonOperations().matchAll(/^class (\w+)\(Resource\)/gm))
    expect(client).toMatch(new RegExp(`= (_resources\\.)?${name}\\(transport\\)`));
});
