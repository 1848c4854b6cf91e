import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { makeTenant } from "../testing/factories.ts";
import { codeOf } from "../testing/refusal.ts";
import { doneDuring } from "../testing/sign-ins.ts";
import { makeConsole } from "../testing/console-world.ts";
import { testDatabase } from "../testing/database.ts";
import { removeOperator, resetSecondFactor } from "./manage-operators.ts";
import { consoleOperations } from "./operations.ts";
import { listOrganisationsSchema } from "./schemas.ts";
import { loadOperator } from "./sessions.ts";
import { signInOperator } from "./sign-in.ts";

const database = await testDatabase();
// What an installation asks for unless it says otherwise.
const console = await makeConsole(database, { secondFactor: "required" });
const { secondFactor, organisations, installation, log } = consoleOperations;

let addresses = 0;
const elsewhere = () => ({ ip: `198.51.100.${String(++addresses)}` });
/** The code of a secret, some steps of 30 seconds from now. */
const codeAt = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });

/** An operator who has set one up, and the session in which they did. */
async function withFactor() {
  const as = await console.addOperator();
  const other = await console.signIn(as, elsewhere());
  const { token, device } = await console.signIn(as, elsewhere());
  const ctx = await console.ctxOf(token);
  const started = await secondFactor.start.call(ctx, { password: as.password });
  const { recoveryCodes } = await secondFactor.confirm.call(ctx, { code: codeAt(started.secret, -1) });
  return { as, token, device, other, ctx: await console.ctxOf(token), ...started, recoveryCodes };
}

test("set up, it is asked for at each sign-in, each code counts once, and other sessions end", async () => {
  const { as, token, other, secret, address, recoveryCodes } = await withFactor();
  expect(address).toContain("operator%20console");
  expect(recoveryCodes).toHaveLength(10);
  expect(await loadOperator(console.dbs, token, { ip: null, requestId: "r" })).toBeDefined();
  expect(await loadOperator(console.dbs, other.token, { ip: null, requestId: "r" })).toBeUndefined();
  expect(await codeOf(console.signIn(as, elsewhere()))).toBe("second_factor_required");
  expect(await codeOf(console.signIn({ ...as, password: "wrong", code: codeAt(secret) }, elsewhere()))).toBe(
    "sign_in_failed",
  );
  const code = codeAt(secret);
  expect((await console.signIn({ ...as, code }, elsewhere())).token).toHaveLength(43);
  expect(await codeOf(console.signIn({ ...as, code }, elsewhere()))).toBe("second_factor_failed");
  expect(await codeOf(console.signIn({ ...as, code: codeAt(secret, -1) }, elsewhere()))).toBe(
    "second_factor_failed",
  );
});

test("a session that begins while it is switched on is ended", async () => {
  const as = await console.addOperator();
  const { token } = await console.signIn(as, elsewhere());
  const ctx = await console.ctxOf(token);
  const { secret } = await secondFactor.start.call(ctx, { password: as.password });
  const confirm = () => secondFactor.confirm.call(ctx, { code: codeAt(secret) });
  await doneDuring(database, () => console.signIn(as, elsewhere()), confirm, "operator_events");
  const { rows } = await database.owner.query(
    "SELECT id FROM operator_sessions WHERE operator_id = $1 AND ended_at IS NULL",
    [ctx.operator.id],
  );
  expect(rows).toEqual([{ id: ctx.sessionId }]);
});

test("a session that begins while the command takes it away is ended", async () => {
  const { as, secret, ctx } = await withFactor();
  const enter = () => console.signIn({ ...as, code: codeAt(secret) }, elsewhere());
  await doneDuring(database, enter, () => resetSecondFactor(database.owner, as.email), "operator_events");
  const { rows } = await database.owner.query(
    "SELECT id FROM operator_sessions WHERE operator_id = $1 AND ended_at IS NULL",
    [ctx.operator.id],
  );
  expect(rows).toEqual([]);
});

test("of concurrent sign-ins with one code, one gets in", async () => {
  const { as, secret } = await withFactor();
  const code = codeAt(secret);
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4].map(() => console.signIn({ ...as, code }, elsewhere())),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a recovery code stands in once, of its operator only, and stands in the log", async () => {
  const { as, recoveryCodes } = await withFactor();
  const another = await withFactor();
  const [code = ""] = recoveryCodes;
  expect(await codeOf(console.signIn({ ...another.as, code }, elsewhere()))).toBe("second_factor_failed");
  expect((await console.signIn({ ...as, code: code.toUpperCase() }, elsewhere())).token).toHaveLength(43);
  expect(await codeOf(console.signIn({ ...as, code }, elsewhere()))).toBe("second_factor_failed");
  expect((await console.events("second_factor.recovery_code_used")).at(-1)?.data).toEqual({ left: 9 });
});

test("wrong codes are slowed down wherever they come from, and lock no known browser out", async () => {
  const { as, device, secret } = await withFactor();
  const codes = new Set<string>();
  for (let i = 0; i < 12; i += 1)
    codes.add(await codeOf(console.signIn({ ...as, code: "000000" }, elsewhere())));
  expect(codes).toEqual(new Set(["second_factor_failed", "sign_in_slowed"]));
  // That somebody has the password stands in the log.
  expect(await console.events("session.refused")).toContainEqual(
    expect.objectContaining({ data: { with: "code", failures: 1 } }),
  );
  const own = signInOperator(console.dbs, {
    ...as,
    code: codeAt(secret),
    device,
    ip: "203.0.113.9",
    userAgent: null,
    requestId: "r",
  });
  expect((await own).token).toHaveLength(43);
});

test("without one an operator can set it up and see nothing else, as long as the installation asks for it", async () => {
  const as = await console.addOperator();
  const ctx = await console.ctxOf((await console.signIn(as)).token);
  const { tenantId } = await makeTenant(database);
  for (const [name, work] of Object.entries({
    list: () => organisations.list.call(ctx, listOrganisationsSchema.parse({})),
    get: () => organisations.get.call(ctx, { id: tenantId }),
    suspend: () => organisations.suspend.call(ctx, { id: tenantId, reason: "A test" }),
    installation: () => installation.get.call(ctx, undefined),
    log: () => log.list.call(ctx, { changesOnly: false, limit: 5 }),
    codes: () => secondFactor.renewRecoveryCodes.call(ctx, { password: as.password, code: "000000" }),
  })) {
    expect(await codeOf(work()), name).toBe("second_factor_missing");
  }
  // Everything but what leads to one, also what is added later.
  type Call = (by: typeof ctx, input: unknown) => Promise<unknown>;
  const without: string[] = [];
  for (const [group, operations] of Object.entries(consoleOperations)) {
    for (const [name, operation] of Object.entries(operations) as [string, { call: Call }][]) {
      if ((await codeOf(operation.call(ctx, {}))) !== "second_factor_missing")
        without.push(`${group}.${name}`);
    }
  }
  expect(without).toEqual(["secondFactor.get", "secondFactor.start", "secondFactor.confirm"]);
  const { secret } = await secondFactor.start.call(ctx, { password: as.password });
  await secondFactor.confirm.call(ctx, { code: codeAt(secret) });
  const after = await console.ctxOf((await console.signIn({ ...as, code: codeAt(secret, 1) })).token);
  expect((await organisations.get.call(after, { id: tenantId })).id).toBe(tenantId);
});

test("set-up takes the password, removal the password and a code; neither replaces one that counts", async () => {
  const { as, ctx, secret } = await withFactor();
  expect(await codeOf(secondFactor.start.call(ctx, { password: as.password }))).toBe("conflict");
  expect(await codeOf(secondFactor.confirm.call(ctx, { code: codeAt(secret) }))).toBe("conflict");
  const code = codeAt(secret, 1);
  expect(await codeOf(secondFactor.remove.call(ctx, { password: "wrong", code }))).toBe("invalid_request");
  expect(await codeOf(secondFactor.remove.call(ctx, { password: as.password, code: "123" }))).toBe(
    "invalid_request",
  );
  await secondFactor.remove.call(ctx, { password: as.password, code });
  expect(await secondFactor.get.call(ctx, undefined)).toMatchObject({ since: null, recoveryCodes: 0 });
  expect((await console.signIn(as, elsewhere())).token).toHaveLength(43);
  expect(await codeOf(secondFactor.start.call(ctx, { password: "wrong" }))).toBe("invalid_request");
});

test("new recovery codes take the password and a code, and end the old ones", async () => {
  const { as, ctx, secret, recoveryCodes } = await withFactor();
  const { password } = as;
  const renew = (input: { password: string; code: string }) =>
    secondFactor.renewRecoveryCodes.call(ctx, input);
  expect(await codeOf(renew({ password, code: "000000" }))).toBe("invalid_request");
  expect(await codeOf(renew({ password: "wrong", code: codeAt(secret, 1) }))).toBe("invalid_request");
  const renewed = await renew({ password, code: codeAt(secret, 1) });
  const [old = ""] = recoveryCodes;
  const [fresh = ""] = renewed.recoveryCodes;
  expect(await codeOf(console.signIn({ ...as, code: old }, elsewhere()))).toBe("second_factor_failed");
  expect((await console.signIn({ ...as, code: fresh }, elsewhere())).token).toHaveLength(43);
});

test("the command takes it away and ends the operator's sessions; removing an operator leaves nothing of it", async () => {
  const { as, token } = await withFactor();
  expect(await resetSecondFactor(database.owner, as.email.toUpperCase())).toBe(true);
  expect(await loadOperator(console.dbs, token, { ip: null, requestId: "r" })).toBeUndefined();
  expect((await console.signIn(as, elsewhere())).token).toHaveLength(43);
  expect(await codeOf(resetSecondFactor(database.owner, "nobody@operators.example"))).toBe("not_found");
  const gone = await withFactor();
  await removeOperator(database.owner, gone.as.email);
  const { rows } = await database.owner.query(
    `SELECT FROM operator_second_factors f WHERE NOT EXISTS (SELECT FROM operators o WHERE o.id = f.operator_id)
     UNION ALL SELECT FROM operator_recovery_codes c WHERE NOT EXISTS (SELECT FROM operators o WHERE o.id = c.operator_id)`,
  );
  expect(rows).toEqual([]);
});

test("all of it stands in the log, and no secret or code does, nor in the tables", async () => {
  const { as, ctx, secret, recoveryCodes } = await withFactor();
  await secondFactor.remove.call(ctx, { password: as.password, code: recoveryCodes[0] ?? "" });
  const actions = (await console.events()).filter(({ action }) => action.startsWith("second_factor."));
  for (const action of [
    "started",
    "enabled",
    "removed",
    "reset",
    "recovery_code_used",
    "recovery_codes_renewed",
  ]) {
    expect(actions.map((event) => event.action)).toContain(`second_factor.${action}`);
  }
  const kept = await withFactor();
  const { rows } = await database.owner.query<{ text: string }>(
    `SELECT (SELECT string_agg(f::text, '') FROM operator_second_factors f)
       || (SELECT string_agg(c::text, '') FROM operator_recovery_codes c) || (SELECT string_agg(e::text, '') FROM operator_events e) AS text`,
  );
  for (const told of [secret, kept.secret, ...recoveryCodes, ...kept.recoveryCodes]) {
    expect(rows[0]?.text).not.toContain(told);
    expect(rows[0]?.text).not.toContain(Buffer.from(told).toString("hex"));
  }
});
