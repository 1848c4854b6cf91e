/** A service with its demo organisation on a port of loopback, for what is tested as a program of a customer would use it. */
import { seedDemo } from "../../../prisma/seed/seed.ts";
import { startApiServer } from "../../../server/testing/api-server.ts";
import { testDatabase } from "../../../server/testing/database.ts";
import { Tidings } from "../src/index.ts";

export async function startWorld() {
  const api = await startApiServer();
  const database = await testDatabase();
  api.serve(database.web);
  const seeded = await seedDemo({
    databaseUrl: database.workerUrl,
    baseUrl: api.url,
    smtp: { host: "127.0.0.1", port: 2525, user: "quickstart", pass: "secret" },
  });
  if (!seeded) throw new Error("The demo was there already");
  const { tenantId, keys } = seeded;
  return {
    api,
    database,
    tenantId,
    keys,
    client: (options: ConstructorParameters<typeof Tidings>[0] = {}) =>
      new Tidings({ baseUrl: api.url, apiKey: keys.sandbox, tenantId, ...options }),
  };
}
