import type { Pool } from "pg";
import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { logger } from "../kernel/log.ts";
import { readSetUpToken } from "./set-up-token.ts";

/**
 * The address of the set-up page with its token, which a browser sends to nobody: it stands after the hash sign. Undefined when
 * there is an organisation, null when the token was made with another master key.
 */
export async function announcedSetUp(pool: Pick<Pool, "query">): Promise<string | null | undefined> {
  const token = await readSetUpToken(pool);
  return token && `${env().publicUrl}/set-up#${token}`;
}

/**
 * Writes the address of the set-up page into the log while there is no organisation: it is the one secret that is meant to be
 * read there, and it ends with the first organisation. A database that does not answer yet is no reason not to start.
 */
export async function announceSetUp(db: Db): Promise<void> {
  try {
    const address = await announcedSetUp(db.pool);
    if (address) {
      logger().info({ address }, "there is no organisation yet: open this address to set one up");
    } else if (address === null) {
      logger().warn(
        "there is no organisation yet, and the token of the set-up page was made with another TIDINGS_SECRET_KEY: make a new one with npm run tenant -- set-up --new",
      );
    }
  } catch (error) {
    logger().warn({ err: error }, "whether there is an organisation could not be read");
  }
}
