import { describe, expect, it } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { restClient } from "../testing/rest-client.ts";
import type { PortalContext } from "../trpc/context.ts";
import { errorFacts } from "../trpc/errors.ts";
import { appRouter } from "../trpc/root.ts";

/*
 * Invalid templates from authors, scripts and attackers, over REST and tRPC: always a refusal that says where and why,
 * never an internal error, and nothing is saved.
 */

const database = await testDatabase();
const rest = restClient(database.web);
const tenant = await makeTenant(database);
const { key } = await tenant.makeKey("staging", { role: "developer" });

interface Refusal {
  status: number;
  code: string;
  errors: { pointer: string; code: string; detail: string }[];
}

async function overRest(json: unknown): Promise<Refusal> {
  const { status, body } = await rest.post<Refusal>("/v1/templates", { key, json });
  return { ...body, status };
}

async function overTrpc(json: unknown): Promise<Refusal> {
  const tidings = tenant.as("developer");
  const context: PortalContext = {
    requestId: "bad",
    tidings,
    session: {
      id: newId(),
      expiresAt: new Date(Date.now() + 60_000),
      lastSeenAt: new Date(),
      user: { id: newId(), name: "Dev", email: "dev@example.com" },
      tenant: { id: tidings.tenantId, slug: "x", name: "X" },
      grants: tidings.grants,
      roles: [],
      secondFactorMissing: false,
    },
  };
  try {
    await appRouter.createCaller(context).templates.create(json as never);
  } catch (error) {
    const { status, code, errors } = errorFacts(error, "bad");
    return { status, code, errors: [...errors] };
  }
  return { status: 200, code: "none", errors: [] };
}

const definition = (more: Record<string, unknown>) => ({
  application: "shop",
  name: "bad",
  notificationType: "order",
  notificationSubtype: "order_status",
  channel: "sms",
  body: "Hello {{ name }}",
  variables: [{ name: "name", example: "Ada" }],
  ...more,
});
const mail = (more: Record<string, unknown>) =>
  definition({ channel: "email", subject: "Hello", body: "<p>{{ name }}</p>", ...more });
const mjml = (body: string, more: Record<string, unknown> = {}) =>
  mail({ body, metadata: { format: "mjml" }, ...more });
const much = (text: string, times: number) => text.repeat(times);
const column = (body: string) => `<mj-section><mj-column>${body}</mj-column></mj-section>`;

const wrong: [string, Record<string, unknown>, { pointer: string; code?: string; detail?: RegExp }][] = [
  [
    "an undeclared variable",
    definition({ body: "Hello\n  {{ nobody }}" }),
    { pointer: "/body", code: "undeclared_variable", detail: /"nobody".*line 2, column 6/ },
  ],
  [
    "an undeclared variable in a subject",
    mail({ subject: "Hello {{ nobody }}" }),
    { pointer: "/subject", code: "undeclared_variable", detail: /line 1, column 10/ },
  ],
  [
    "broken Liquid",
    definition({ body: "a\n\n {% if name %}x" }),
    { pointer: "/body", code: "syntax", detail: /line 3, column 2/ },
  ],
  [
    "broken Liquid in MJML",
    mjml(`<mjml><mj-body>\n${column("<mj-text>{{ name | nope }}</mj-text>")}</mj-body></mjml>`),
    { pointer: "/body", code: "syntax", detail: /line 2/ },
  ],
  [
    "a loop that does not end",
    definition({ body: "{% for i in (1..100000000) %}x{% endfor %}" }),
    { pointer: "/body", code: "limit_exceeded" },
  ],
  [
    "a text that doubles itself",
    definition({ body: `{% assign x = "aaaa" %}${much("{% assign x = x | append: x %}", 60)}{{ x }}` }),
    { pointer: "/body", code: "limit_exceeded" },
  ],
  [
    "ten thousand blocks within each other",
    definition({ body: much("{% if name %}", 10_000) + much("{% endif %}", 10_000) }),
    { pointer: "/body", code: "limit_exceeded", detail: /nested/ },
  ],
  [
    "brackets within brackets",
    definition({ body: `{{ ${much("name[", 20_000)}1${much("]", 20_000)} }}` }),
    { pointer: "/body" },
  ],
  [
    "ranges within ranges",
    definition({ body: `{% for i in ${much("(1..", 30_000)}1${much(")", 30_000)} %}{% endfor %}` }),
    { pointer: "/body" },
  ],
  [
    "thousands of outputs",
    definition({ body: much("{{ name }}", 20_000) }),
    { pointer: "/body", code: "limit_exceeded", detail: /2000 outputs and tags/ },
  ],
  [
    "a text over the limit",
    definition({ body: much("x", 300_000) }),
    { pointer: "/body", detail: /256 KiB/ },
  ],
  [
    "a script",
    mail({ body: "<p>\n<script>x</script></p>" }),
    { pointer: "/body", code: "unsafe_html", detail: /line 2, column 1/ },
  ],
  [
    "a script in MJML",
    mjml(`<mjml><mj-body>${column("<mj-raw><script>x</script></mj-raw>")}</mj-body></mjml>`),
    { pointer: "/body", code: "unsafe_html" },
  ],
  ["a handler", mail({ body: '<img src="x" onerror="x">' }), { pointer: "/body", code: "unsafe_html" }],
  [
    "a script put together by Liquid",
    mail({ body: '{{ "<scr" | append: "ipt>" | raw }}' }),
    { pointer: "/body", code: "unsafe_html" },
  ],
  ["a file", definition({ body: "{% include '/etc/passwd' %}" }), { pointer: "/body", code: "syntax" }],
  [
    "a file in MJML",
    mjml('<mjml><mj-body><mj-include path="/etc/passwd" /></mj-body></mjml>'),
    { pointer: "/body", code: "mjml" },
  ],
  [
    "unknown MJML",
    mjml("<mjml><mj-body>\n<mj-nope /></mj-body></mjml>"),
    { pointer: "/body", code: "mjml", detail: /line 2, column 1/ },
  ],
  [
    "MJML that becomes very long",
    mjml(
      `<mjml><mj-body>${column(`<mj-carousel>${much('<mj-carousel-image src="https://example.com/x" />', 1_500)}</mj-carousel>`)}</mj-body></mjml>`,
    ),
    { pointer: "/body", code: "limit_exceeded" },
  ],
  ["MJML within MJML", mjml(`<mjml><mj-body>${much("<mj-wrapper>", 1_900)}`), { pointer: "/body" }],
  ["a header in a subject", mail({ subject: "Hi\r\nBcc: a@example.com" }), { pointer: "/subject" }],
  [
    "a header in a sender",
    mail({ metadata: { from: "a@example.com\r\nBcc: b@example.com" } }),
    { pointer: "/metadata/from" },
  ],
  [
    "a header in a sender's name",
    mail({ metadata: { fromName: "A\nBcc: b@example.com" } }),
    { pointer: "/metadata/fromName" },
  ],
  [
    "a header in a reply address",
    mail({ metadata: { replyTo: "a@example.com\r\nBcc: b@example.com" } }),
    { pointer: "/metadata/replyTo" },
  ],
  [
    "a header in a file's name",
    mail({ metadata: { attachments: [{ url: "https://example.com/x", filename: 'x"\r\nX: y' }] } }),
    { pointer: "/metadata/attachments/0/filename" },
  ],
  [
    "an attachment that is no address",
    mail({ metadata: { attachments: [{ url: "file:///etc/passwd", filename: "x" }] } }),
    { pointer: "/metadata/attachments/0/url" },
  ],
  [
    "a line break in a WhatsApp footer",
    definition({ channel: "whatsapp", metadata: { footer: "a\nb" } }),
    { pointer: "/metadata/footer" },
  ],
  [
    "the metadata of another channel",
    definition({ metadata: { replyTo: "a@example.com" } }),
    { pointer: "/metadata/replyTo" },
  ],
  [
    "a name of JavaScript as a variable",
    definition({ variables: [{ name: "__proto__" }] }),
    { pointer: "/variables/0/name" },
  ],
];

describe.each([
  ["the public API", overRest],
  ["the portal", overTrpc],
])("%s refuses", (_, send) => {
  it.each(wrong)("%s, and says where", async (_what, json, expected) => {
    const refusal = await send(json);
    expect([refusal.status, refusal.code]).toEqual([
      422,
      expect.stringMatching(/^(invalid_template|invalid_request)$/),
    ]);
    const found = refusal.errors.find(
      ({ pointer, code, detail }) =>
        pointer.startsWith(expected.pointer) &&
        (expected.code === undefined || code === expected.code) &&
        (expected.detail?.test(detail) ?? true),
    );
    if (!found) expect(refusal.errors).toContainEqual(expected);
  });

  it.each([
    ["NUL", "a\u0000b"],
    ["half of a pair", "a\ud800b"],
  ])("%s in a text", async (_what, body) => {
    expect(await send(definition({ body }))).toMatchObject({ status: 400, code: "invalid_encoding" });
  });
});

describe("bad input", () => {
  it("of a megabyte is refused by the public API with the limit", async () => {
    const refusal = await rest.post<Refusal & { detail: string }>("/v1/templates", {
      key,
      json: definition({ body: much("x", 1_100_000) }),
    });
    expect(refusal).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    expect(refusal.body.detail).toMatch(/1 MiB|1,?048,?576/);
  });

  it("leaves nothing behind", async () => {
    const { rows } = await database.owner.query("SELECT 1 FROM templates WHERE tenant_id = $1", [
      tenant.tenantId,
    ]);
    expect(rows).toEqual([]);
  });
});
