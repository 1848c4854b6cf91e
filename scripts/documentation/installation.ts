/** The installation that the pages are run against: started as its user starts it, with an organisation for each page. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { seedDemo } from "../../prisma/seed/seed.ts";
import { createApiKey } from "../../server/access/create-api-key.ts";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { inTenant, openDb } from "../../server/kernel/db.ts";
import { permissions } from "../../server/operations/permissions.ts";
import { DATABASE, embeddedCluster } from "../lib/database.ts";
import { mailboxUrl } from "../lib/mailbox-address.ts";
import { choosePort } from "../lib/ports.ts";
import { ensureDatabase, ownerUrl } from "../lib/postgres.ts";
import { writeQuickstart } from "../lib/quickstart.ts";
import { loadSecrets } from "../lib/secrets.ts";
import { Session } from "./session.ts";

/** What `npm start` says when everything is up. */
const ready = "Tidings is ready";

export class Installation {
  readonly dataDir: string;
  readonly #port: number;
  readonly #reader: Session;
  readonly #stop: () => Promise<void>;

  /** Starts it with the command, which is README.md's. */
  static async start(command: string): Promise<Installation> {
    const dataDir = mkdtempSync(path.join(tmpdir(), "tidings-documentation-data-"));
    const port = await choosePort();
    const reader = new Session(dataDir, { PORT: String(port), OUTBOUND_ALLOW: "127.0.0.1/32" });
    try {
      const { stop } = await reader.start(command, ready);
      return new Installation(dataDir, port, reader, stop);
    } catch (error) {
      reader.close();
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(dataDir: string, port: number, reader: Session, stop: () => Promise<void>) {
    this.dataDir = dataDir;
    this.#port = port;
    this.#reader = reader;
    this.#stop = stop;
    // What this process does itself in the database.
    process.env.TIDINGS_SECRET_KEY = loadSecrets(dataDir).secretKey;
    process.env.LOG_LEVEL = "silent";
  }

  get baseUrl(): string {
    return `http://localhost:${String(this.#port)}`;
  }

  /** A reader of a page: the demo organisation `acme` is as new, and DATA_DIR/quickstart.json says how to get in. */
  async session(): Promise<Session> {
    const keys = await this.#newDemo();
    const { cluster } = await embeddedCluster(this.dataDir);
    const empty = `scratch_${randomBytes(4).toString("hex")}`;
    await ensureDatabase(cluster, empty);
    return new Session(this.dataDir, {
      PUBLIC_URL: this.baseUrl,
      OUTBOUND_ALLOW: "127.0.0.1/32",
      TIDINGS_URL: this.baseUrl,
      TIDINGS_API_KEY: keys.live,
      TIDINGS_TENANT_ID: keys.tenantId,
      SANDBOX_KEY: keys.sandbox,
      REVIEWER_KEY: keys.reviewer,
      ADMIN_KEY: keys.administrator,
      /** The owner's address of a database without anything in it. */
      EMPTY_DATABASE_URL: ownerUrl(cluster, empty),
      SPARE_PORT: String(await choosePort()),
    });
  }

  /** Gives the demo organisation that is there another short name, and makes it anew. */
  async #newDemo() {
    const { cluster, secrets } = await embeddedCluster(this.dataDir);
    const databaseUrl = ownerUrl(cluster, DATABASE);
    const db = openDb("worker", databaseUrl, { poolSize: 2 });
    try {
      const slug = "acme";
      const used = await db.prisma.tenant.findUnique({ where: { slug } });
      if (used) {
        await inTenant(systemCtx(db, used.id, "Documentation"), (tx) =>
          tx.tenant.update({
            where: { id: used.id },
            data: { slug: `used-${randomBytes(4).toString("hex")}` },
          }),
        );
      }
      const { smtpPort = 0, user, password } = secrets.mailbox;
      const made = await seedDemo({
        databaseUrl,
        baseUrl: this.baseUrl,
        smtp: { host: "127.0.0.1", port: smtpPort, user, pass: password },
      });
      if (!made) throw new Error("The demo organisation could not be made anew.");
      writeQuickstart(this.dataDir, { ...made, baseUrl: this.baseUrl, mailbox: mailboxUrl(secrets.mailbox) });
      const ctx = systemCtx(db, made.tenantId, "Documentation");
      const { tenantId } = made;
      const { environment, owner } = await inTenant(ctx, async (tx) => ({
        environment: await tx.environment.findFirstOrThrow({ where: { tenantId, slug: "production" } }),
        owner: await tx.user.findFirstOrThrow({ where: { tenantId, email: made.email } }),
      }));
      const administrator = await createApiKey(
        {
          ...ctx,
          // A person's key, as from the portal: what it asks for, that person does.
          actor: { type: "user", id: owner.id, name: owner.name, email: owner.email },
          grants: [
            {
              permissions: new Set<string>(permissions),
              unitId: null,
              applicationId: null,
              environmentId: null,
            },
          ],
        },
        { name: "Administrator", environmentId: environment.id, role: "administrator" },
      );
      return { ...made.keys, tenantId, reviewer: made.reviewer.key, administrator: administrator.key };
    } finally {
      await db.close();
    }
  }

  /** Ctrl-C; throws when it does not end, or still answers afterwards. */
  async stop(): Promise<void> {
    try {
      await this.#stop();
      const answers = await fetch(`${this.baseUrl}/healthz`).then(
        () => true,
        () => false,
      );
      if (answers) throw new Error(`${this.baseUrl} still answers after Ctrl-C.`);
    } finally {
      this.#reader.close();
      rmSync(this.dataDir, { recursive: true, force: true });
    }
  }
}
