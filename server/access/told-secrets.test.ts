import { Secret, TOTP } from "otpauth";
import type * as Pino from "pino";
import { afterAll, expect, test, vi } from "vitest";
import { passwordLinksSent, requestPasswordLink } from "../invitations/request-password-link.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { handleForgotPassword, handleSetPassword } from "../trpc/public-forms.ts";
import { changePassword } from "./change-password.ts";
import { confirmSecondFactor, renewRecoveryCodes, startSecondFactor } from "./manage-second-factor.ts";
import { loadSession, sessionCtx } from "./sessions.ts";
import { signInWithPassword } from "./sign-in.ts";

/** Every line that the service logs here, at any level. */
const lines: string[] = [];
vi.mock("pino", async (importOriginal) => {
  const original = await importOriginal<typeof Pino>();
  return {
    ...original,
    pino: Object.assign(
      (options: object) =>
        original.pino({ ...options, level: "trace" }, { write: (line: string) => void lines.push(line) }),
      { stdTimeFunctions: original.pino.stdTimeFunctions },
    ),
  };
});

const database = await testDatabase();
const mail = await startMailServer();
afterAll(() => mail.close());
const world = await makeSendingWorld(database);
const smtp = await world.addSmtp(mail.port);
await world.addRule("production", [[smtp]], { channel: "email" });
const { tenant } = world;

test("no password, code, secret, link or address of a sign-in stands in a log, an error or an answer", async () => {
  const canary = (what: string) => `canary-${what}-${newId()}`;
  const [password, wrong, next] = [canary("password"), canary("wrong"), canary("next")];
  const email = `${canary("mia")}@people.example`;
  const { id } = await tenant.addMember("developer", { email, password });
  const told: string[] = [];
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      told.push(`${String(error)} ${JSON.stringify(error)} ${(error as Error).stack ?? ""}`);
      return undefined;
    }
  };
  const from = () => ({ ip: "198.51.100.7", userAgent: "test", requestId: newId() });
  const signIn = (given: string, code?: string) =>
    attempt(() =>
      signInWithPassword(database.web, {
        organisation: tenant.slug,
        email,
        password: given,
        ...(code ? { code } : {}),
        ...from(),
      }),
    );
  const session = (await signIn(password))!;
  const { sessionId } = session;
  const ctx = sessionCtx(database.web, (await loadSession(database.web, session))!, newId());
  const { secret } = await startSecondFactor(ctx, { password, sessionId });
  await attempt(() => startSecondFactor(ctx, { password: wrong, sessionId }));
  const code = TOTP.generate({ secret: Secret.fromBase32(secret) });
  await attempt(() => confirmSecondFactor(ctx, { code: canary("code").slice(0, 40), sessionId }));
  const { recoveryCodes } = await confirmSecondFactor(ctx, { code, sessionId });
  const renewed = await renewRecoveryCodes(ctx, { password, code: recoveryCodes[1]!, sessionId });
  await signIn(wrong);
  await signIn(password);
  await signIn(password, wrong.slice(0, 40));
  await signIn(password, recoveryCodes[0]);
  expect(await signIn(password, renewed.recoveryCodes[0])).toBeDefined();
  await attempt(() => changePassword(ctx, { current: wrong, next, sessionId }));
  await attempt(() => changePassword(ctx, { current: password, next: "password1234", sessionId }));
  await requestPasswordLink(database.web, { organisation: tenant.slug, email, ...from() });
  await passwordLinksSent();
  await world.runJobs();
  const [raw = ""] = mail.received.map((each) => each.raw.replaceAll(/=\r?\n/g, ""));
  const token = /set-password#([\w-]{86})/.exec(raw.replaceAll("=3D", "=").replaceAll("=23", "#"))?.[1] ?? "";
  const form = (name: string, body: object) => {
    const text = JSON.stringify(body);
    return new Request(`http://localhost:3000/api/${name}`, {
      method: "POST",
      body: text,
      headers: {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(text)),
        "sec-fetch-site": "same-origin",
        "x-forwarded-for": "198.51.100.8",
      },
    });
  };
  for (const answer of [
    await handleSetPassword(form("set-password", { token, password: "short" })),
    await handleSetPassword(form("set-password", { token: `${token}x`, password: next })),
    await handleSetPassword(form("set-password", { token, password: next })),
    await handleForgotPassword(form("forgot-password", { organisation: tenant.slug, email })),
    await handleForgotPassword(form("forgot-password", { organisation: [email] })),
  ]) {
    // Who has used a link is told the address that they sign in with.
    told.push((await answer.text()).replace(answer.status === 200 ? email : "", ""));
  }
  expect(token).not.toBe("");
  expect(lines.join("\n")).toContain("a sign-in failed");
  const everything = [...lines, ...told].join("\n");
  const secrets = [
    password,
    wrong,
    next,
    email,
    secret,
    code,
    token,
    ...recoveryCodes,
    ...renewed.recoveryCodes,
  ];
  for (const text of secrets) expect(everything).not.toContain(text);
  expect(everything).not.toContain("canary");
  expect(everything).toContain(id);
});
