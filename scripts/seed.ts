/**
 * `npm run seed`: the demo tenant in the database named by DATABASE_URL, and DATA_DIR/quickstart.json with what is
 * needed to use it. What exists already stays as it is.
 */
import { seedDemo } from "../prisma/seed/seed.ts";
import { mailboxUrl } from "./lib/mailbox-address.ts";
import { dataFolder } from "./lib/paths.ts";
import { readQuickstart, writeQuickstart } from "./lib/quickstart.ts";
import { loadSecrets } from "./lib/secrets.ts";

const databaseUrl = process.env.DATABASE_URL;
const baseUrl = process.env.PUBLIC_URL;
if (!databaseUrl || !baseUrl) throw new Error("Set DATABASE_URL and PUBLIC_URL.");

const dataDir = dataFolder();
const secrets = loadSecrets(dataDir).mailbox;
const mailbox = mailboxUrl(secrets);

const made = await seedDemo({
  databaseUrl,
  baseUrl,
  smtp: { host: "127.0.0.1", port: secrets.smtpPort ?? 0, user: secrets.user, pass: secrets.password },
});
// On a later start only the addresses may have changed.
const facts = made ?? readQuickstart(dataDir);
if (facts) writeQuickstart(dataDir, { ...facts, baseUrl, mailbox });
