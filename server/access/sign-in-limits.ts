import { createHmac } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { derivedKey } from "../kernel/secrets.ts";

interface Limits {
  ip: RateLimiterPostgres;
  accountFromIp: RateLimiterPostgres;
  account: RateLimiterPostgres;
}

const limitsOf = new WeakMap<Db, Limits>();

function limits(db: Db): Limits {
  let known = limitsOf.get(db);
  if (!known) {
    const limiter = (keyPrefix: string, points: number, minutes: number) =>
      new RateLimiterPostgres({
        storeClient: db.pool,
        storeType: "pool",
        tableName: "sign_in_limits",
        tableCreated: true,
        keyPrefix,
        points,
        duration: minutes * 60,
      });
    known = {
      ip: limiter("ip", 100, 60),
      accountFromIp: limiter("account-ip", 5, 15),
      // The address can be made up where no proxy sets it, so an account is also guarded from all of them together.
      account: limiter("account", 50, 60),
    };
    limitsOf.set(db, known);
  }
  return known;
}

/** The table holds no tenant's data: keys say neither address nor account. */
function hidden(...parts: string[]): string {
  return createHmac("sha256", derivedKey("sign-in limits")).update(parts.join("\n")).digest("base64url");
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    const minutes = Math.ceil(seconds / 60);
    throw new DomainError(
      "sign_in_locked",
      `Too many failed sign-ins. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
      { retryAfter: seconds },
    );
  }
}

/**
 * Counts one try before the password is checked, so that many at once cannot all slip through. Throws `sign_in_locked`
 * with the seconds left. `succeeded` takes the try back.
 */
export async function countSignIn(
  db: Db,
  email: string,
  ip: string | null,
): Promise<{ succeeded(): Promise<void> }> {
  const { ip: perIp, accountFromIp, account } = limits(db);
  const ipKey = hidden("ip", ip ?? "unknown");
  const accountIpKey = hidden("account-ip", email, ip ?? "unknown");
  const accountKey = hidden("account", email);
  await consume(perIp, ipKey);
  await consume(accountFromIp, accountIpKey);
  await consume(account, accountKey);
  return {
    succeeded: async () => {
      await Promise.all([
        perIp.reward(ipKey),
        accountFromIp.delete(accountIpKey),
        account.reward(accountKey),
      ]);
    },
  };
}
