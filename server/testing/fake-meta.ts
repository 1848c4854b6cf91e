/**
 * Speaks as much of Meta's Graph API as sending WhatsApp messages needs, with Meta's own error bodies: its description has
 * none. It knows one account, one number, and the templates that it is given.
 */
import { requestOf, startFakeProvider } from "./fake-provider.ts";
import type { FakeProvider, ProviderAnswer, ProviderCall } from "./fake-provider.ts";
import { misfits } from "./provider-contracts/contract.ts";
import { metaContract } from "./provider-contracts/meta.ts";

export type FakeTemplate = {
  name: string;
  language: string;
  status?: string;
  category?: string;
  rejected_reason?: string;
  components: { type: string; format?: string; text?: string; buttons?: Record<string, string>[] }[];
};

export type FakeMeta = FakeProvider & {
  /** Bodies of accepted messages. */
  messages: Record<string, unknown>[];
  /** Answers every message with this error; undefined: as the message deserves. */
  failWith: (error: { status: number; code: number; message?: string; details?: string } | undefined) => void;
  /** The business's messaging limit in Meta's words; undefined: none is told. */
  limitTo: (tier: string | undefined) => void;
  templates: FakeTemplate[];
};

export const FAKE_META = {
  accessToken: "EAAfakeToken123",
  phoneNumberId: "106540352242922",
  wabaId: "102290129340398",
};

export async function startFakeMeta(): Promise<FakeMeta> {
  const messages: Record<string, unknown>[] = [];
  const templates: FakeTemplate[] = [];
  let tier: string | undefined;
  let failure: Parameters<FakeMeta["failWith"]>[0];
  const answer = (call: ProviderCall): ProviderAnswer => {
    if (call.headers.authorization !== `Bearer ${FAKE_META.accessToken}`) {
      return graphError(401, 190, "Invalid OAuth access token - Cannot parse access token");
    }
    const [, version, node, edge] = call.path.split("/");
    if (!/^v\d+\.\d$/.test(version ?? "")) return graphError(400, 2500, "Unknown path components");
    if (node === FAKE_META.phoneNumberId && edge === "messages" && call.method === "POST") {
      if (failure) return graphError(failure.status, failure.code, failure.message, failure.details);
      const body = JSON.parse(call.body) as Record<string, unknown>;
      const wrong = misfits(metaContract, requestOf({ ...call, body: JSON.stringify(withNumber(body)) }));
      if (wrong.length > 0) return graphError(400, 100, wrong.join("; "));
      const complaint = complaintAbout(body, templates);
      if (complaint) return complaint;
      messages.push(body);
      return { status: 200, body: accepted(String(body.to ?? body.recipient), messages.length) };
    }
    if (node === FAKE_META.phoneNumberId && edge === undefined) {
      return {
        status: 200,
        body: {
          id: node,
          display_phone_number: "+49 1515 9999999",
          verified_name: "Example Shop",
          quality_rating: "GREEN",
          // Older versions do not know the field.
          ...(tier === undefined || Number(version?.slice(1)) < 24
            ? {}
            : { whatsapp_business_manager_messaging_limit: tier }),
        },
      };
    }
    if (node === FAKE_META.wabaId && edge === "message_templates") {
      const name = call.query.get("name") ?? "";
      const language = call.query.get("language");
      // Meta's filter by name finds longer names, too.
      const data = templates.filter(
        (item) => item.name.startsWith(name) && (language === null || item.language === language),
      );
      return { status: 200, body: { data: data.map((item) => ({ status: "APPROVED", ...item, id: "1" })) } };
    }
    return graphError(
      400,
      100,
      `Unsupported get request. Object with ID '${node ?? ""}' does not exist, cannot be loaded due to missing permissions`,
    );
  };
  const provider = await startFakeProvider(answer);
  return {
    ...provider,
    messages,
    templates,
    limitTo: (next) => {
      tier = next;
    },
    failWith: (error) => {
      failure = error;
    },
  };
}

/** Meta's description is older than user ids, which stand in a field of their own; it checks what the rest of the message says. */
function withNumber({ recipient, ...body }: Record<string, unknown>): Record<string, unknown> {
  return typeof recipient === "string" && body.to === undefined
    ? { ...body, to: "19505550005" }
    : recipient === undefined
      ? body
      : { ...body, recipient };
}

export function graphError(
  status: number,
  code: number,
  message = "Error",
  details?: string,
): ProviderAnswer {
  const error = {
    message: `(#${code}) ${message}`,
    type: "OAuthException",
    code,
    ...(details === undefined ? {} : { error_data: { messaging_product: "whatsapp", details } }),
    fbtrace_id: "AbCdEfGhIjKlMnOpQrStUvW",
  };
  return { status, body: { error } };
}

function accepted(to: string, count: number): object {
  return {
    messaging_product: "whatsapp",
    contacts: [{ input: to, wa_id: to }],
    messages: [{ id: `wamid.HBgLFAKE${count}`, message_status: "accepted" }],
  };
}

/** What the real API refuses about a template that it knows. */
function complaintAbout(body: Record<string, unknown>, templates: FakeTemplate[]): ProviderAnswer | null {
  if (body.type !== "template") return null;
  const sent = body.template as {
    name: string;
    language: { code: string };
    components: { type: string; parameters: unknown[] }[];
  };
  const template = templates.find((item) => item.name === sent.name && item.language === sent.language.code);
  if (!template) {
    const details = `template name (${sent.name}) does not exist in ${sent.language.code}`;
    return graphError(404, 132001, "Template name does not exist in the translation", details);
  }
  const count = (type: string): number =>
    sent.components.filter((item) => item.type === type).flatMap(({ parameters }) => parameters).length;
  const wanted = (type: string): number =>
    template.components
      .filter((item) => item.type === type)
      .reduce((sum, item) => sum + (JSON.stringify(item).match(/\{\{/g)?.length ?? 0), 0);
  for (const type of ["header", "body", "button"]) {
    const registered = type === "button" ? "BUTTONS" : type.toUpperCase();
    const media = template.components.some(
      (item) => item.type === registered && item.format !== undefined && item.format !== "TEXT",
    );
    const payloads = sent.components.filter(
      (item) => (item as { sub_type?: string }).sub_type === "quick_reply",
    ).length;
    const expected = media ? 1 : wanted(registered);
    const given = count(type) - (type === "button" ? payloads : 0);
    if (given !== expected) {
      const details = `${type}: number of localizable_params (${given}) does not match the expected number of params (${expected})`;
      return graphError(
        400,
        132000,
        "Number of parameters does not match the expected number of params",
        details,
      );
    }
  }
  return null;
}
