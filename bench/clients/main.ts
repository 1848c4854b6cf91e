/**
 * Sends through the TypeScript client behind a proxy that loses a part of the answers after the messages are stored, and counts the
 * messages: exactly as many as were sent, whoever repeats.
 *
 *   npm run bench:clients                                   10,000 sends, 30 % of the answers lost
 *   npm run bench:clients -- --sends 50000 --lost 0.5 --seed 7
 *
 * Half of the sends leave the transaction id and the retries to the client; the other half use its two retries, and repeat a send
 * that failed with its own transaction id, as a job queue would. Ends with status 1 when a message is missing or double.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { parseArgs } from "node:util";

process.env.TIDINGS_SECRET_KEY ??= randomBytes(32).toString("base64");
process.env.LOG_LEVEL ??= "silent";
Object.assign(process.env, { NODE_ENV: "production" });
process.env.PUBLIC_URL ??= "http://127.0.0.1";

const { values } = parseArgs({
  options: {
    sends: { type: "string", default: "10000" },
    lost: { type: "string", default: "0.3" },
    seed: { type: "string", default: "1" },
    concurrency: { type: "string", default: "128" },
  },
});
const [sends, share, seed, concurrency] = [values.sends, values.lost, values.seed, values.concurrency].map(
  Number,
) as [number, number, number, number];

// These modules read the environment when they are loaded.
const { seedDemo } = await import("../../prisma/seed/seed.ts");
const { Tidings, TidingsError } = await import("../../packages/sdk-ts/src/index.ts");
const { losingProxy, order, seededRandom } = await import("../../packages/sdk-ts/test/losing-proxy.ts");
const { allowRoleLogins } = await import("../../scripts/lib/database.ts");
const { migrate } = await import("../../scripts/lib/migrations.ts");
const { ensureDatabase, ownerUrl } = await import("../../scripts/lib/postgres.ts");
const { startThrowaway } = await import("../../scripts/lib/throwaway.ts");
const { openDb } = await import("../../server/kernel/db.ts");
const { startApiServer } = await import("../../server/testing/api-server.ts");

const { cluster, stop } = await startThrowaway();
let broken = false;
try {
  const owner = ownerUrl(cluster, "bench");
  await ensureDatabase(cluster, "bench");
  await migrate(owner);
  await allowRoleLogins(owner, { webPassword: "web", workerPassword: "worker" });
  const web = new URL(owner);
  Object.assign(web, { username: "tidings_web", password: "web" });
  process.env.DATABASE_URL = web.href;
  const api = await startApiServer();
  const seeded = await seedDemo({
    databaseUrl: owner,
    baseUrl: api.url,
    smtp: { host: "127.0.0.1", port: 2525, user: "quickstart", pass: "none" },
  });
  if (!seeded) throw new Error("The demo was there already");
  const db = openDb("web", web.href);
  const all = openDb("worker", owner);
  api.serve(db);
  // The key's quota is not what is measured.
  await all.pool.query("UPDATE api_keys SET rate_limit_per_minute = 1000000");

  const random = seededRandom(seed);
  const proxy = await losingProxy(api.url, () => random() < share);
  const client = (maxRetries: number) =>
    new Tidings({ baseUrl: proxy.url, apiKey: seeded.keys.sandbox, tenantId: seeded.tenantId, maxRetries });
  const [patient, usual] = [client(20), client(2)];
  let next = 0;
  let repeated = 0;
  const sendAll = async () => {
    for (let n = next++; n < sends; n = next++) {
      if (n % 2 === 0) {
        await patient.send(order);
        continue;
      }
      const transactionId = randomUUID();
      for (;;) {
        try {
          await usual.send({ ...order, transactionId });
          break;
        } catch (error) {
          if (!(error instanceof TidingsError) || error.code !== "connection_failed") throw error;
          repeated++;
        }
      }
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, sendAll));
  const seconds = (performance.now() - started) / 1_000;
  const { rows } = await all.pool.query<{ messages: string }>(
    "SELECT count(*) AS messages FROM notifications WHERE tenant_id = $1",
    [seeded.tenantId],
  );
  const messages = Number(rows[0]?.messages);
  broken = messages !== sends;
  console.log(
    JSON.stringify({
      sends,
      messages,
      requests: proxy.counts.requests,
      answersLost: proxy.counts.lost,
      repeatedByTheProgram: repeated,
      seconds: Math.round(seconds * 10) / 10,
    }),
  );
  proxy.close();
  await api.close();
  await Promise.all([db.close(), all.close()]);
} finally {
  await stop();
}
process.exit(broken ? 1 : 0);
