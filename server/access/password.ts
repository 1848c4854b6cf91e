import { hash, verify } from "@node-rs/argon2";
import { DomainError } from "../kernel/errors.ts";

// OWASP's minimum for argon2id. Each hash takes 19 MiB and about 50 ms of one core.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashes run on libuv's threads; more at once than cores would only make every sign-in slower.
const maxParallel = 2;
const maxWaiting = 64;
/** Hashes of one address, running and waiting, so that it cannot fill the queue. */
const maxPerCaller = 8;
let running = 0;
const waiting: (() => void)[] = [];
const byCaller = new Map<string, number>();

async function withinShare<T>(work: () => Promise<T>, from?: string): Promise<T> {
  if (from === undefined) return inQueue(work);
  const mine = byCaller.get(from) ?? 0;
  if (mine >= maxPerCaller) throw overloaded();
  byCaller.set(from, mine + 1);
  try {
    return await inQueue(work);
  } finally {
    const left = (byCaller.get(from) ?? 1) - 1;
    if (left > 0) byCaller.set(from, left);
    else byCaller.delete(from);
  }
}

function overloaded(): DomainError {
  return new DomainError("service_overloaded", "Too many people are signing in. Try again shortly.", {
    retryAfter: 5,
  });
}

async function inQueue<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxParallel) {
    if (waiting.length >= maxWaiting) throw overloaded();
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The slot is passed on, not released, so that nobody slips in between.
    if (next) next();
    else running--;
  }
}

let dummy: Promise<string> | undefined;

/** The hash that unknown addresses are compared with. A failure is not cached: the next sign-in tries again. */
function dummyHash(): Promise<string> {
  dummy ??= hash(crypto.randomUUID(), cost).catch((error: unknown) => {
    dummy = undefined;
    throw error;
  });
  return dummy;
}

/** argon2id as a PHC string. Throws `service_overloaded` when too many hashes wait. */
export async function hashPassword(password: string): Promise<string> {
  return withinShare(() => hash(password, cost));
}

/**
 * Whether `password` matches `stored` (PHC string). Null, for an unknown address or one without a password, takes as
 * long and is false. Throws `service_overloaded` when too many hashes wait, in all or from the address `from`.
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
  from?: string,
): Promise<boolean> {
  const known = stored ?? (await dummyHash());
  const matches = await withinShare(() => verify(known, password), from);
  return matches && stored !== null;
}
