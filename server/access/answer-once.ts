import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { openText, sealText } from "../kernel/secrets.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import {
  countAnswers,
  deleteAnswer,
  deleteExpiredAnswers,
  insertAnswer,
  selectAnswer,
  updateAnswer,
} from "./answer-queries.ts";
import type { AnswerRow } from "./answer-queries.ts";

const keptMs = 24 * 3_600_000;
/** Longer than a request can take: after it, one without an answer has been given up. */
const patienceMs = 60_000;
/** Answers of an organisation that are kept at once, and characters of one. */
export const mostAnswers = 100_000;
const mostCharacters = 1_048_576;
/** How often the answers of an organisation are counted, and how many organisations this process knows about. */
const counts = new LRUCache<string, number>({ max: 10_000, ttl: 60_000 });
const portion = 2_000;

/** What is kept of an answer. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body?: unknown;
}

/**
 * Carries a request out once: a repetition of it under the same key within 24 hours gets the first answer, whichever of the two
 * comes first and however many come at once. Everything that is kept is sealed, the hash of the request as well, because answers hold
 * secrets and requests passwords. An error of ours in words (a DomainError) gives the key back: nothing was done. Any other leaves
 * open what was done, so the key stays used. Throws `idempotency_mismatch` for another request under the key, `request_in_progress` as
 * long as the first one is, `conflict` when nobody knows how it ended.
 * @param requestHash of everything that says what the request is
 */
export async function answerOnce(
  ctx: Ctx,
  key: string,
  requestHash: string,
  run: () => Promise<KeptAnswer>,
): Promise<{ answer: KeptAnswer; replayed: boolean }> {
  const { tenantId, actor } = ctx;
  if (actor.type !== "apiKey") throw new Error("only API keys repeat requests");
  const keyHash = createHash("sha256").update(key).digest();
  await refuseTooMany(ctx);
  const id = newId();
  const taken = await inTenant(ctx, async (tx) => {
    const dataKey = await dataKeyForWriting(tx, tenantId);
    const createdAt = ctx.now();
    return insertAnswer(tx, {
      tenantId,
      id,
      apiKeyId: actor.id,
      keyHash: Uint8Array.from(keyHash),
      request: Uint8Array.from(sealText(tenantId, dataKey, contextOf(id), requestHash)),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + keptMs),
    });
  });
  if (!taken) {
    const row = await selectAnswer(ctx, actor.id, keyHash);
    // Given back, or deleted, in the meantime.
    if (!row) throw inProgress();
    return { answer: earlier(ctx, row, requestHash), replayed: true };
  }
  counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1, { noUpdateTTL: true });
  let answer: KeptAnswer;
  try {
    answer = await run();
  } catch (error) {
    if (error instanceof DomainError) await inTenant(ctx, (tx) => deleteAnswer(tx, tenantId, id));
    throw error;
  }
  await keep(ctx, id, answer);
  return { answer, replayed: false };
}

const contextOf = (id: string) => `idempotent_answers:${id}`;

function inProgress(): DomainError {
  return new DomainError(
    "request_in_progress",
    "The first request with this Idempotency-Key has no answer yet.",
    {
      retryAfter: 1,
    },
  );
}

function earlier(ctx: Ctx, row: AnswerRow, requestHash: string): KeptAnswer {
  const open = (sealed: Buffer) => openText(ctx.tenantId, row.dataKey, contextOf(row.id), sealed);
  if (open(row.request) !== requestHash)
    throw new DomainError(
      "idempotency_mismatch",
      "This Idempotency-Key was used with another request. Use a new one for a new request.",
    );
  if (row.answer) return JSON.parse(open(row.answer)) as KeptAnswer;
  if (ctx.now().getTime() - row.createdAt.getTime() < patienceMs) throw inProgress();
  throw new DomainError(
    "conflict",
    "The first request with this Idempotency-Key ended without an answer that was kept. Check whether it took effect, then use a new key.",
  );
}

/** The request was carried out: whatever happens here, its answer is given. */
async function keep(ctx: Ctx, id: string, answer: KeptAnswer): Promise<void> {
  const { tenantId } = ctx;
  const text = JSON.stringify(answer);
  if (text.length > mostCharacters) return;
  try {
    await inTenant(ctx, async (tx) => {
      const dataKey = await dataKeyForWriting(tx, tenantId);
      await updateAnswer(tx, tenantId, id, Uint8Array.from(sealText(tenantId, dataKey, contextOf(id), text)));
    });
  } catch (error) {
    logger().error({ err: error, requestId: ctx.requestId }, "an answer could not be kept for repetitions");
  }
}

async function refuseTooMany(ctx: Ctx): Promise<void> {
  let count = counts.get(ctx.tenantId);
  if (count === undefined) {
    count = await countAnswers(ctx, mostAnswers);
    counts.set(ctx.tenantId, count);
  }
  if (count >= mostAnswers)
    throw new DomainError(
      "rate_limited",
      `Your organisation has used ${mostAnswers.toLocaleString("en")} Idempotency-Keys in 24 hours. Try again later, or without one.`,
      { retryAfter: 60 },
    );
}

/** Deletes answers whose 24 hours are over, of all organisations, in portions. */
export async function purgeAnswers(db: Db): Promise<void> {
  for (let round = 0; round < 200; round++) if ((await deleteExpiredAnswers(db, portion)) < portion) return;
}
