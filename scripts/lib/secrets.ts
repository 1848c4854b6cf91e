import { randomBytes } from "node:crypto";
import path from "node:path";
import { z } from "zod";
import { readJson, writePrivateJson } from "./private-file.ts";

const secretsSchema = z.object({
  /** Base64 of 32 bytes: the master key of envelope encryption (TIDINGS_SECRET_KEY). */
  secretKey: z.string(),
  postgres: z.object({
    port: z.int().optional(),
    /** Where the cluster lies when the data folder cannot be reached by an unprivileged user. */
    folder: z.string().optional(),
    ownerPassword: z.string(),
    webPassword: z.string(),
    workerPassword: z.string(),
  }),
  mailbox: z.object({
    smtpPort: z.int().optional(),
    httpPort: z.int().optional(),
    user: z.string(),
    password: z.string(),
    /** Part of the mailbox's address, so that nobody else on this machine can guess it. */
    token: z.string(),
  }),
});

/** Secrets of one installation: generated on the first start and then kept. */
export type Secrets = z.infer<typeof secretsSchema>;

const word = () => randomBytes(24).toString("base64url");

function newSecrets(): Secrets {
  return {
    secretKey: randomBytes(32).toString("base64"),
    postgres: { ownerPassword: word(), webPassword: word(), workerPassword: word() },
    mailbox: { user: "tidings", password: word(), token: word() },
  };
}

const fileIn = (dataDir: string) => path.join(dataDir, "secrets.json");

/** Reads DATA_DIR/secrets.json, or makes it (mode 0600). */
export function loadSecrets(dataDir: string): Secrets {
  const found = readJson(fileIn(dataDir));
  if (found !== undefined) return secretsSchema.parse(found);
  const secrets = newSecrets();
  saveSecrets(dataDir, secrets);
  return secrets;
}

/** Writes the secrets back, for instance with a port that has been chosen. */
export function saveSecrets(dataDir: string, secrets: Secrets): void {
  writePrivateJson(fileIn(dataDir), secrets);
}
