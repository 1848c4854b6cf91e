import { hash, verify } from "@node-rs/argon2";
import { DomainError } from "../kernel/errors.ts";

// OWASP's minimum for argon2id. Each hash takes 19 MiB and about 50 ms of one core.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashes run on libuv's threads; more at once than cores would only make every sign-in slower.
const maxParallel = 2;
const maxWaiting = 64;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxParallel) {
    if (waiting.length >= maxWaiting) {
      throw new DomainError(
        "service_overloaded",
        "Too many people sign in at this moment. Try again shortly.",
        {
          retryAfter: 5,
        },
      );
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // A slot is handed over, not given back, so that nobody slips in between.
    if (next) next();
    else running--;
  }
}

let nobody: Promise<string> | undefined;

/** The hash that an unknown address is compared with. A failure to make it is not kept: the next sign-in tries again. */
function hashOfNobody(): Promise<string> {
  nobody ??= hash(crypto.randomUUID(), cost).catch((error: unknown) => {
    nobody = undefined;
    throw error;
  });
  return nobody;
}

/** argon2id as a PHC string. Throws `service_overloaded` when too many hashes wait. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

/**
 * Whether `password` belongs to `stored` (PHC string). Null, for an address that is not known or has no password, takes as
 * long and is false.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const known = stored ?? (await hashOfNobody());
  const matches = await inTurn(() => verify(known, password));
  return matches && stored !== null;
}
