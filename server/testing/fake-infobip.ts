/**
 * Speaks as much of Infobip's API as sending needs, with Infobip's own error bodies. It knows one API key, remembers the ids
 * of messages, and refuses one that it has seen, as Infobip does.
 */
import { requestOf, startFakeProvider } from "./fake-provider.ts";
import type { FakeProvider, ProviderAnswer, ProviderCall } from "./fake-provider.ts";
import { misfits } from "./provider-contracts/contract.ts";
import { infobipContract } from "./provider-contracts/infobip.ts";

export type FakeInfobip = FakeProvider & {
  /** Accepted bodies with the path that they came to. */
  messages: { path: string; body: Record<string, unknown> }[];
  /** Answers every message with this; undefined: as the message deserves. */
  answerWith: (answer: ProviderAnswer | undefined) => void;
  /** The status of messages that are accepted from now on. */
  setStatus: (status: { groupId: number; groupName: string; name: string; description?: string }) => void;
  templates: Record<string, unknown>[];
};

export const FAKE_INFOBIP_KEY = "0123456789abcdef-fake";

export async function startFakeInfobip(): Promise<FakeInfobip> {
  const messages: FakeInfobip["messages"] = [];
  const templates: Record<string, unknown>[] = [];
  const seen = new Set<string>();
  let forced: ProviderAnswer | undefined;
  let status: object = { groupId: 1, groupName: "PENDING", id: 26, name: "PENDING_ACCEPTED" };

  const take = (call: ProviderCall): ProviderAnswer => {
    if (forced) return forced;
    const wrong = misfits(infobipContract, requestOf(call));
    if (wrong.length > 0) return exception(400, "BAD_REQUEST", wrong.join("; "));
    const body = JSON.parse(call.body) as Record<string, unknown>;
    const list = (body.messages ?? [body]) as Record<string, unknown>[];
    const first = list[0] ?? {};
    const sms = call.path === "/sms/3/messages";
    const target = sms ? ((first.destinations as Record<string, string>[])[0] ?? {}) : first;
    const id = String(target.messageId);
    const duplicate = seen.has(id);
    seen.add(id);
    if (!duplicate) messages.push({ path: call.path, body });
    const said = duplicate
      ? { groupId: 5, groupName: "REJECTED", id: 23, name: "REJECTED_DUPLICATE_MESSAGE_ID" }
      : status;
    if (sms) {
      const answer = { messageId: id, status: said, destination: target.to, details: { messageCount: 2 } };
      return { status: 200, body: { messages: [answer] } };
    }
    const answer = { to: target.to, messageCount: 1, messageId: id, status: said };
    return { status: 200, body: body.messages ? { messages: [answer], bulkId: "1" } : answer };
  };

  const provider = await startFakeProvider((call) => {
    if (call.headers.authorization !== `App ${FAKE_INFOBIP_KEY}`) {
      return exception(401, "UNAUTHORIZED", "Invalid login details");
    }
    if (call.path === "/account/1/balance") return { status: 200, body: { balance: 47.8, currency: "EUR" } };
    if (/^\/whatsapp\/2\/senders\/\d+\/templates$/.test(call.path))
      return { status: 200, body: { templates } };
    const sends = call.path === "/sms/3/messages" || call.path.startsWith("/whatsapp/1/message/");
    return call.method === "POST" && sends ? take(call) : exception(404, "NOT_FOUND", "Not found");
  });
  return {
    ...provider,
    messages,
    templates,
    answerWith: (answer) => {
      forced = answer;
    },
    setStatus: (next) => {
      status = next;
    },
  };
}

/** The error of WhatsApp and of the account. */
export function exception(
  status: number,
  messageId: string,
  text: string,
  validationErrors?: Record<string, string[]>,
): ProviderAnswer {
  const serviceException = { messageId, text, ...(validationErrors ? { validationErrors } : {}) };
  return { status, body: { requestError: { serviceException } } };
}

/** The error of SMS. */
export function apiError(
  status: number,
  errorCode: string,
  violations: { property: string; violation: string }[] = [],
): ProviderAnswer {
  const description = "Request cannot be processed.";
  return {
    status,
    body: { errorCode, description, action: "Check the request.", violations, resources: [] },
  };
}
