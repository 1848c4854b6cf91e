/** What is Resend's own; what all adapters promise is in outgoing.test.ts and callbacks.test.ts. */
import { afterAll, expect, it } from "vitest";
import { startFaultyServer } from "../../testing/faulty-server.ts";
import { httpProvider } from "../../testing/http-providers.ts";
import { emailMessage, loopbackClient } from "../../testing/outbound-email.ts";
import { resendCallbacks } from "../../testing/provider-cases/resend.ts";
import { parseResendCallback } from "./resend-callback.ts";

const http = loopbackClient();
afterAll(() => http.close());

it("sends the same bytes at every try: Resend recognises a repetition by key and body", async () => {
  const { adapter, connection, answer } = httpProvider("resend");
  const server = await startFaultyServer({ answer });
  for (const attempt of [1, 2]) {
    await adapter.send(connection(server.baseUrl), emailMessage({ attempt }), { http });
  }
  const [first, second] = server.requests;
  expect(first?.body).toBe(second?.body);
  expect(first?.headers["idempotency-key"]).toBe(second?.headers["idempotency-key"]);
  await server.close();
});

it.each([undefined, "whsec_$"])("believes nobody with the secret %j", async (secret) => {
  const genuine = await resendCallbacks.request(resendCallbacks.genuine);
  expect(parseResendCallback(secret, genuine)).toEqual({ authentic: false });
});
