/** Texts of the OpenAPI document besides its operations. CommonMark. */
export const apiDescription = `
Tidings sends SMS, e-mail and WhatsApp messages through one API.

## Authentication
Send an API key as \`Authorization: Bearer tdg_…\`. A key belongs to one tenant and one environment and has a role. Each operation lists the permission it needs. The header \`X-Tenant-Id\` is optional and, if sent, must be the key's tenant.

## Idempotency
\`POST /api/app/notifications/send\` is idempotent by its \`transactionId\`, every other \`POST\` that creates something by the header
\`Idempotency-Key\`, which you choose (kept 24 hours). Repeating a request returns the first answer with \`Idempotent-Replayed: true\`; a different body with the same identifier returns 422 \`idempotency_mismatch\`.

## Errors
Every error is an RFC 9457 problem document (\`application/problem+json\`) with a \`code\` for programs, a \`detail\` for people and a
\`requestId\`. \`errors\` lists the problems in the request. All codes are explained at \`/docs/errors\`.

## Limits
Each key has a quota of requests per minute, shown in the headers \`RateLimit\` and \`RateLimit-Policy\`; above it, the answer is 429
with \`Retry-After\`. Bodies have at most 1 MiB, 32 levels of nesting and no duplicate names in an object. 503 also has \`Retry-After\`.

## Paging
Lists are newest first, except for \`GET /v1/events\`. Pass \`nextCursor\` back as \`cursor\`; null means there are no more.

## Webhooks
Events are posted to registered endpoints (\`x-webhooks\` below). The body ends with a \`signature\` over everything before it. The
headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` follow the Standard Webhooks specification; verify these. Answer 2xx within 15 seconds; anything else is retried with growing delays.
`.trim();

/** The tags in an order of use, which the document and the reference keep. */
export const tagDescriptions: Record<string, string> = {
  Notifications: "Send messages, follow them and cancel them.",
  Templates: "The texts of messages, in numbered versions.",
  Webhooks: "Where events are posted, and how each delivery went.",
  Events: "A feed of everything that webhooks report, to be read when it suits you.",
  Consent: "What recipients agreed to and opted out of.",
  Suppressions: "Addresses that nothing is sent to.",
  Sandbox: "Act as the recipient of a simulated message.",
  Contacts: "People you write to, and groups of them.",
  Broadcasts: "One template sent to contact groups.",
  Conversations: "Replies from recipients, beside what they were sent.",
  Promotions: "Pipelines of stages, and how versions move through them.",
  "Template files": "Export and import templates as files.",
  Providers: "The connections that carry messages, and their health.",
  Routing: "The rules that decide which connection carries which message.",
  "Short links": "The link shortener of each environment.",
  Reports: "Delivery, cost and reliability figures over time.",
  Exports: "Messages and costs as files, written in the background.",
  Privacy: "How long data is kept, and erasing recipients on request.",
  Organisation: "Settings of the whole organisation.",
  "API keys": "The keys that programs use.",
  Audit: "Who changed what and when, with the values before.",
};

export const parameterDescriptions: Record<string, string> = {
  actorType: "Only by people, keys or the system",
  application: "Only this application",
  channel: "Only this channel",
  createdFrom: "Created at or after this time (ISO 8601 with a zone)",
  createdTo: "Created before this time (ISO 8601 with a zone)",
  cursor: "nextCursor of the previous page, with the same filters",
  currency: "Only costs in this currency (ISO 4217)",
  deliveryId: "The delivery",
  environmentId: "Only this environment",
  environment: "Only into this environment (short name or id)",
  event: "Only this kind of event",
  format: "JSON, or the rows of FOCUS as CSV",
  from: "Start of the period",
  id: "The resource",
  limit: "Maximum number of items per page",
  mailDomain: "Only to mailboxes at this provider, by the domain of the address",
  name: "Only this name",
  notificationSubtype: "Only this subtype",
  notificationType: "Only this type",
  number: "Revision number",
  provider: "Only messages sent through this connection",
  reason: "Only with this reason",
  search: "Only with this in their name or text",
  state: "Only in this state",
  status: "Only in this state",
  targetId: "Only changes to the resource with this ID",
  template: "Only this template",
  templateId: "Only promotions of this template",
  to: "Only to this address",
  transactionId: "Only this request",
  unitId: "Only this unit",
};
