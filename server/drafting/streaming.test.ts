import { createTRPCClient, httpBatchStreamLink, TRPCClientError } from "@trpc/client";
import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { transformer } from "../../components/trpc/transformer.ts";
import { signInWithPassword } from "../access/sign-in.ts";
import { replaceAiConfig } from "../ai/config.ts";
import { aiAccounts } from "../testing/ai-accounts.ts";
import { makeAiWorld } from "../testing/ai-world.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { handleTrpc } from "../trpc/handle.ts";
import type { AppRouter } from "../trpc/root.ts";
import { sessionSecret } from "../trpc/session-token.ts";
import type { DraftEvent } from "./schemas.ts";

/* As the portal sees it: its own client, over the handler that the web process mounts. */

const database = await testDatabase();
const password = "correct horse battery staple";
const tenant = await makeTenant(database, { password });
const { fake, config } = await makeAiWorld();
const { saveSettings, usage } = aiAccounts(database, tenant.tenantId);

const site = "http://localhost:3000";
const name = await signInWithPassword(database.web, {
  email: tenant.owner.email,
  password,
  ip: "192.0.2.1",
  userAgent: null,
  requestId: "test",
});
const token = { sid: name.sessionId, tid: name.tenantId, sub: name.userId };
const cookie = `next-auth.session-token=${await encode({ token, secret: sessionSecret() })}`;

const client = createTRPCClient<AppRouter>({
  links: [
    httpBatchStreamLink({
      url: `${site}/api/trpc`,
      transformer,
      headers: { cookie, origin: site, "sec-fetch-site": "same-origin" },
      fetch: (url, init) => {
        const request = new Request(url, init);
        // As browsers do.
        request.headers.set("content-length", String((init as { body: string }).body.length));
        return handleTrpc(request);
      },
    }),
  ],
});

const request = {
  application: "shop",
  action: "draft" as const,
  channel: "sms" as const,
  prompt: "Say hello",
  variables: [{ name: "name", example: "Ada" }],
};

const failure = (work: Promise<unknown>) =>
  work.then(
    () => Promise.reject(new Error("it was written")),
    (error: unknown) => {
      expect(error).toBeInstanceOf(TRPCClientError);
      const { message, data } = error as TRPCClientError<AppRouter>;
      return {
        message,
        code: data?.code,
        status: data?.httpStatus,
        stack: JSON.stringify(data).includes("stack"),
      };
    },
  );

const drain = async (pieces: AsyncIterable<DraftEvent>): Promise<DraftEvent[]> => {
  const all: DraftEvent[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
};

test("a draft reaches the page while it is being written", async () => {
  fake.next({ kind: "stall", text: "Hello {{ name }}" });
  const page = new AbortController();
  const pieces = await client.drafting.write.mutate(request, { signal: page.signal });
  const seen: DraftEvent[] = [];
  // The service has not finished, and never will: what is visible came before.
  for await (const piece of pieces) {
    seen.push(piece);
    if (piece.type === "delta" && piece.text.includes("}}")) break;
  }
  expect(seen.length).toBeGreaterThan(1);
  page.abort();
  await expect.poll(usage).toHaveLength(1);
});

test("a page that is closed ends the call at the service", async () => {
  fake.next({ kind: "stall", text: "Hello {{ name }}" });
  const coming = fake.nextRequest();
  const page = new AbortController();
  const pieces = await client.drafting.write.mutate(request, { signal: page.signal });
  const reading = drain(pieces).catch(() => []);
  const upstream = await coming;
  page.abort();
  await upstream.gone;
  await reading;
  await expect.poll(usage).toMatchObject([{ purpose: "draft", estimated: true }]);
});

test("a request that is wrong from the start gets an ordinary error", async () => {
  await saveSettings({ ai: { drafting: false } });
  expect(await failure(client.drafting.write.mutate(request))).toMatchObject({
    code: "ai_unavailable",
    status: 503,
    stack: false,
  });
});

test("a failure while streaming reaches the page as our error, not as the service's", async () => {
  fake.next({ kind: "break", text: "Hello {{ na" });
  const pieces = await client.drafting.write.mutate(request);
  expect(await failure(drain(pieces))).toEqual({
    message: expect.stringContaining("The AI service can't be reached") as string,
    code: "ai_unavailable",
    status: 503,
    stack: false,
  });
});

test("an internal error while streaming reveals nothing", async () => {
  fake.always(() => {
    // An unforeseen error, between the first text and the second.
    replaceAiConfig({ ...config, baseUrl: "no address at all" });
    return { kind: "text", text: "Hello {{ undeclared }}" };
  });
  const pieces = await client.drafting.write.mutate(request);
  expect(await failure(drain(pieces))).toEqual({
    message: expect.stringContaining("Something went wrong on our side") as string,
    code: "internal_error",
    status: 500,
    stack: false,
  });
});
