/** Texts of the OpenAPI document besides its operations. CommonMark. */
export const apiDescription = `
Tidings sends SMS, e-mail and WhatsApp messages through one API.

## Authentication
Send an API key as \`Authorization: Bearer tdg_…\`. The key belongs to one tenant and one environment and carries a role; an
operation says which permission it needs. The header \`X-Tenant-Id\` is optional and must name the key's tenant when it is sent.

## Idempotency
\`POST /api/app/notifications/send\` is idempotent by its \`transactionId\`, \`POST /v1/notifications\` by the header
\`Idempotency-Key\` (kept 24 hours). The same request again gets the first answer with \`Idempotent-Replayed: true\`; another
body under the same identifier gets 422 \`idempotency_mismatch\`.

## Errors
Every error is an RFC 9457 problem document (\`application/problem+json\`) with a \`code\` for programs, a \`detail\` for people and a
\`requestId\`. \`errors\` lists what is wrong in the request. All codes are explained at \`/docs/errors\`.

## Limits
Each key has a quota of requests a minute, told by the headers \`RateLimit\` and \`RateLimit-Policy\`; beyond it the answer is 429
with \`Retry-After\`. Bodies have at most 1 MiB, 32 levels of nesting and no name twice in an object. 503 carries \`Retry-After\`, too.

## Paging
Lists are newest first. Pass \`nextCursor\` back as \`cursor\`; null means that there is no more.

## Webhooks
Events are posted to registered endpoints (\`x-webhooks\` below). The body ends in a \`signature\` over everything before it; the
headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` follow the Standard Webhooks specification and are to be
preferred. Answer 2xx within 15 seconds; anything else is tried again with growing delays.
`.trim();

/** The tags in an order of use, which the document and the reference keep. */
export const tagDescriptions: Record<string, string> = {
  Notifications: "Send messages, follow them and cancel them.",
  Templates: "The texts of messages, in numbered versions.",
  Webhooks: "Where events are posted, and how each delivery went.",
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
  Audit: "Who changed what and when, with the values before.",
};

export const parameterDescriptions: Record<string, string> = {
  actorType: "Only what people did, or only what keys or the system did",
  application: "Only of this application",
  channel: "Only of this channel",
  createdFrom: "Created at or after this time (ISO 8601 with a zone)",
  createdTo: "Created before this time (ISO 8601 with a zone)",
  cursor: "nextCursor of the page before; with the same filters",
  currency: "Only costs in this currency (ISO 4217)",
  deliveryId: "The delivery",
  environmentId: "Only of this environment",
  environment: "Only into this environment (short name or id)",
  event: "Only of this kind of event",
  format: "JSON, or the rows of FOCUS as CSV",
  from: "Beginning of the period",
  id: "The resource",
  limit: "How many items a page may hold",
  mailDomain: "Only to mailboxes of this provider, told by the address's domain",
  name: "Only of this name",
  notificationSubtype: "Only of this subtype",
  notificationType: "Only of this type",
  number: "The revision's number",
  provider: "Only those carried by this provider connection",
  reason: "Only those with this reason",
  search: "Only those in whose name or text this occurs",
  state: "Only in this state",
  status: "Only in this state",
  targetId: "Only what was done to the thing with this id",
  template: "Only of this template",
  templateId: "Only those that move this template",
  to: "Only to this address",
  transactionId: "Only of this request",
  unitId: "Only of this unit",
};
