import { setTimeout as pause } from "node:timers/promises";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Adapter, Connection, TestResult } from "../adapters/adapter.ts";
import { boundOutcome } from "../adapters/bounded-adapter.ts";
import { hiding, hidingAnswers } from "../adapters/repeated-secrets.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { changedConnection } from "./change-connection.ts";
import { checkAddresses, mergeFields, parseConfiguration } from "./check-connection.ts";
import { authorizeConnectionChanges, requireUnit } from "./connection-access.ts";
import { tenantConnections } from "./load-connection.ts";
import { providerHttp } from "./provider-http.ts";
import { storeTest } from "./queries.ts";
import type {
  ExampleAnswer,
  JudgedAnswer,
  ProviderTestResult,
  UnsavedConnection,
  UnsavedTestResult,
} from "./schemas.ts";
import { requireAdapter, requireConnection } from "./stored-connection.ts";

const deadlineMs = 20_000;
const callMs = 10_000;
const maxText = 500;
/** Of an answer, bytes: as much as sending reads. */
const mostAnswer = 65_536;
/**
 * Each test calls somebody else's service: enough for setting up, too few for probing hosts. Counted in each process.
 */
const tests = new RateLimiterMemory({ points: 20, duration: 60 });

async function countTest(ctx: Ctx): Promise<void> {
  try {
    await tests.consume(ctx.tenantId);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    throw new DomainError(
      "rate_limited",
      `At most 20 tests a minute. Try again in ${String(seconds)} seconds.`,
      {
        retryAfter: seconds,
      },
    );
  }
}

/**
 * Checks a stored connection's address and credentials without sending a message, and records the result with the
 * connection. Needs providers:manage where it is. A provider that does not answer is a result; throws `rate_limited`
 * after 20 tests in a minute.
 */
export async function testProvider(
  ctx: Ctx,
  input: { id: string },
  http: OutboundClient = providerHttp(),
): Promise<ProviderTestResult> {
  const catalogue = await authorizeConnectionChanges(ctx);
  const row = await requireConnection(ctx, catalogue, "providers:manage", input.id);
  await countTest(ctx);
  const connection = (await tenantConnections(ctx)).get(row.id);
  const tested = connection
    ? await runTest(ctx, connection.adapter, connection.connection, http)
    : failed("The stored credentials or settings cannot be read. Enter them again.");
  // Organisations learn nothing about the operator's account, such as its balance.
  const result = row.platformChannelId === null ? tested : { ...tested, facts: [] };
  await inTenant(ctx, async (tx) => {
    await storeTest(tx, ctx.tenantId, row.id, { at: ctx.now(), problem: result.problem });
    await recordAudit(ctx, tx, {
      action: "provider.tested",
      targetType: "provider",
      targetId: row.id,
      unitId: row.unitId,
      data: { name: row.name, ok: result.ok },
    });
  });
  return result;
}

/**
 * As testProvider, before saving, and without asking anybody how an entered answer of the provider would be judged. Refuses what
 * saving would refuse: forbidden addresses, and stored credentials for a new address.
 */
export async function testUnsavedProvider(
  ctx: Ctx,
  input: UnsavedConnection,
  http: OutboundClient = providerHttp(),
): Promise<UnsavedTestResult> {
  const catalogue = await authorizeConnectionChanges(ctx);
  let adapter: Adapter;
  let parsed: { credentials: unknown; settings: unknown } | null;
  let unitId: string | null;
  if ("id" in input) {
    const row = await requireConnection(ctx, catalogue, "providers:manage", input.id);
    ({ adapter, parsed, unitId } = await changedConnection(ctx, catalogue, row, input.changes, true));
  } else {
    unitId = requireUnit(ctx, catalogue, input.unit);
    adapter = requireAdapter(input.provider);
    const { fields: credentials } = mergeFields({}, input.credentials);
    const { fields: settings } = mergeFields({}, input.settings);
    parsed = parseConfiguration(adapter, { credentials, settings });
    await checkAddresses(parsed.settings);
  }
  await countTest(ctx);
  const id = "id" in input ? input.id : null;
  const connection = parsed ? { id: id ?? "unsaved", ...parsed } : null;
  const judgement = connection && input.answer ? judge(adapter, connection, input.answer) : null;
  const result = connection
    ? await runTest(ctx, adapter, connection, http)
    : failed("The account is the operator's.");
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, {
      action: "provider.tested",
      targetType: "provider",
      targetId: id,
      unitId,
      data: { provider: adapter.name, ok: result.ok, unsaved: true },
    }),
  );
  return { ...result, judgement };
}

function failed(problem: string): ProviderTestResult {
  return { ok: false, problem, facts: [], warnings: [] };
}

/** As sending would judge it, with its bounds. Null for adapters that know by themselves what answers mean. */
function judge(adapter: Adapter, connection: Connection, answer: ExampleAnswer): JudgedAnswer | null {
  if (!adapter.judgeAnswer) return null;
  const { headers: lines, status, body } = answer;
  const headers: Record<string, string> = {};
  for (const line of lines.split("\n")) {
    const at = line.indexOf(":");
    if (at > 0) headers[line.slice(0, at).trim().toLowerCase()] = line.slice(at + 1).trim();
  }
  // What was typed is text already, whatever charset the provider's own bytes have.
  const type = headers["content-type"];
  if (type !== undefined) headers["content-type"] = `${type.split(";", 1)[0] ?? ""}; charset=utf-8`;
  const bytes = Buffer.from(body);
  const hide = hiding(connection.credentials);
  const judged = adapter.judgeAnswer(connection, {
    status,
    headers,
    body: bytes.subarray(0, mostAnswer),
    truncated: bytes.length > mostAnswer,
  });
  const outcome = boundOutcome(judged.outcome, hide);
  const sent = outcome.kind === "sent";
  return {
    outcome: outcome.kind,
    providerMessageId: sent ? outcome.providerMessageId : null,
    detail: sent ? null : outcome.detail,
    providerCode: sent ? null : (outcome.providerCode ?? null),
    providerMessage: sent ? null : (outcome.providerMessage ?? null),
    warnings: judged.warnings.map((warning) => hide(warning).slice(0, maxText)),
  };
}

async function runTest(
  ctx: Ctx,
  adapter: Adapter,
  connection: Connection,
  http: OutboundClient,
): Promise<ProviderTestResult> {
  const done = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), done.signal]);
  const hide = hiding(connection.credentials);
  let result: TestResult;
  try {
    result = await Promise.race([
      adapter.test(connection, { http: hidingAnswers(http, hide), signal, timeoutMs: callMs }),
      // An adapter that ignores its deadline must not hold up the request.
      pause(
        deadlineMs + 1_000,
        { ok: false as const, problem: `${adapter.label} did not answer in time` },
        { signal: done.signal },
      ),
    ]);
  } catch (error) {
    ctx.log.error({ err: error, adapter: adapter.name }, "a connection's test failed unexpectedly");
    result = { ok: false, problem: "The test failed to run" };
  } finally {
    done.abort();
  }
  const say = (text: string) => hide(text).slice(0, maxText).toWellFormed();
  return result.ok
    ? {
        ok: true,
        problem: null,
        facts: (result.facts ?? [])
          .slice(0, 20)
          .map(({ label, value }) => ({ label: say(label), value: say(value) })),
        warnings: (result.warnings ?? []).slice(0, 20).map(say),
      }
    : failed(say(result.problem));
}
