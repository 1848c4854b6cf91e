/** Ids in examples. They stand for what is in the reader's own tenant; everything else works as it is with the demo tenant. */
export const exampleIds = {
  /** A provider connection, from GET /v1/providers. */
  connection: "0197f4a0-5b7e-7c1a-9d3e-000000000001",
} as const;

const orderVariables = [
  { customerName: "Ada" },
  { orderNumber: "A-1042" },
  { status: "shipped" },
  { trackingUrl: "https://shop.example/orders/A-1042" },
];

const receipt = {
  body: "Hello {{ customerName }}, thank you for your order {{ orderNumber }}.",
  variables: [
    { name: "customerName", example: "Ada", maxLength: 40 },
    { name: "orderNumber", example: "A-1042", maxLength: 20 },
  ],
};

const mailRule = {
  name: "Order status to Germany",
  region: "DE",
  application: "webshop",
  channel: "email",
  notificationType: "order",
  tiers: [[{ connectionId: exampleIds.connection, weight: 100 }]],
};

/** The example body of each operation that takes one, for the demo tenant of a fresh installation. Every one is sent by a test. */
export const requestExamples: Readonly<Record<string, unknown>> = {
  sendNotifications: {
    transactionId: "order-4711-shipped",
    application: "webshop",
    region: "DE",
    language: "en",
    notificationType: "order",
    notificationSubtype: "order_status",
    recipients: [
      { channel: "email", recipient: "ada@example.com" },
      { channel: "sms", recipient: "+4917604069001" },
    ],
    templateVariables: orderVariables,
    metadata: { orderId: "4711" },
  },
  createNotification: {
    application: "webshop",
    channel: "email",
    to: "ada@example.com",
    template: "order-status",
    region: "DE",
    language: "en",
    variables: Object.assign({}, ...orderVariables) as Record<string, string>,
  },
  explainNotification: {
    application: "webshop",
    region: "DE",
    language: "en",
    notificationType: "order",
    notificationSubtype: "order_status",
    recipients: [{ channel: "sms", recipient: "+4917604069001" }],
    templateVariables: orderVariables,
  },
  testTemplate: {
    to: "+4917604069001",
    environment: "staging",
    variables: { customerName: "Ada", orderNumber: "A-1042" },
  },
  changeBroadcastRate: { ratePerSecond: 10 },
  recordConsents: {
    consents: [
      {
        id: "signup-8112",
        channel: "email",
        address: "ada@example.com",
        state: "opted_in",
        class: "marketing",
        evidence: { form: "newsletter", version: "7" },
      },
      { id: "support-311", channel: "sms", address: "+4917604069002", state: "opted_out" },
    ],
  },
  askConfirmation: {
    id: "signup-8113",
    application: "webshop",
    channel: "email",
    address: "grace@example.com",
    class: "marketing",
    language: "en",
    evidence: { form: "newsletter", version: "7" },
  },
  createContact: {
    externalId: "customer-8112",
    name: "Grace Example",
    region: "GB",
    language: "en",
    timeZone: "Europe/London",
    attributes: { plan: "gold", customerName: "Grace" },
    addresses: [
      { channel: "email", address: "grace@example.com" },
      { channel: "sms", address: "+447700900111" },
    ],
  },
  updateContact: { language: "de", attributes: { plan: "basic" } },
  upsertContacts: {
    contacts: [
      {
        externalId: "customer-8113",
        name: "Alan Example",
        region: "DE",
        language: "de",
        addresses: [{ channel: "email", address: "alan@example.com" }],
      },
    ],
  },
  createContactGroup: { name: "Newsletter", description: "Signed up on the website" },
  updateContactGroup: { name: "Newsletter, weekly" },
  addContactGroupMembers: { externalIds: ["customer-1001", "customer-1002"] },
  removeContactGroupMembers: { externalIds: ["customer-1002"] },
  addSuppressions: {
    suppressions: [
      { channel: "email", address: "info@example.com", note: "Asked by phone not to be written to" },
    ],
  },
  simulateRecipient: { action: "reply", text: "When will it be here?" },
  createTemplate: {
    application: "webshop",
    name: "order-receipt",
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "sms",
    region: "GB",
    language: "en",
    ...receipt,
  },
  updateTemplate: {
    ...receipt,
    body: "Hello {{ customerName }}, thank you for order {{ orderNumber }}.",
    note: "Shorter",
  },
  deployTemplate: { environment: "staging" },
  setKillSwitch: { environment: "staging", disabled: true, reason: "Wrong price in it" },
  planTemplateImport: {
    application: "webshop",
    files: [
      {
        path: "order-receipt/sms.region-FR/template.json",
        content: JSON.stringify({ notificationType: "order", notificationSubtype: "order_status" }),
      },
      { path: "order-receipt/sms.region-FR/body.txt", content: "Thank you for your order." },
    ],
    note: "From our repository",
  },
  updatePipeline: {
    stages: [
      { environment: "staging" },
      { environment: "production", gates: { approvals: 1, whatsappApproval: true } },
    ],
  },
  createPromotion: { application: "webshop", to: "production", note: "The new receipts", automatic: false },
  approvePromotion: { comment: "Read and tested" },
  rejectPromotion: { comment: "The price is wrong" },
  rollBackPromotion: { note: "The price was wrong" },
  createProvider: {
    name: "Mail relay",
    provider: "smtp",
    channels: ["email"],
    settings: { host: "smtp.example.com", port: 587, security: "starttls" },
    credentials: { user: "tidings", password: "a-secret-of-yours" },
    senders: [{ channel: "email", sender: "Webshop <shop@example.com>" }],
    processingRegion: "EU",
    enabled: false,
  },
  updateProvider: { ratePerSecond: 10 },
  createRoutingRule: mailRule,
  updateRoutingRule: { ...mailRule, notificationSubtype: "order_status", note: "Only the status" },
  replaceRoutingRules: { revision: 2, rules: [mailRule], note: "From our repository" },
  revertRoutingRules: { note: "Back to what worked" },
  dryRunRouting: {
    application: "webshop",
    channel: "email",
    region: "DE",
    notificationType: "order",
    notificationSubtype: "order_status",
  },
  createExport: { kind: "messages", filter: { channel: "email", statuses: ["sent", "delivered", "failed"] } },
  updateResidency: {
    allowedTransferRegions: ["US"],
    reason: "The contract with our mail provider allows it",
  },
  updateRecipientLimits: {
    quietHours: [
      {
        classes: ["marketing"],
        channels: [],
        regions: ["DE"],
        days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
        from: "20:00",
        to: "08:00",
      },
    ],
    caps: [{ class: "marketing", channel: null, most: 3, hours: 168, over: "wait" }],
    revision: 1,
  },
  updateConsentPolicy: {
    overrides: [{ class: "marketing", channel: "email", region: "US", policy: "opt_out" }],
    revision: "lylPBcNgOIGmRm54frhybd4EWI0kK-oCkUsPCo4SvbI",
  },
  eraseRecipients: { addresses: ["somebody@example.com"], reference: "DSR-17" },
  updateRetention: { contentDays: 90, metadataMonths: 13, webhookLogDays: 30 },
  updateShortener: { kind: "built_in", validDays: 30 },
  testShortener: { url: "https://shop.example/orders/A-1042" },
  createNotificationType: { type: "parcel", class: "transactional", subtypes: ["shipped", "delivered"] },
  updateNotificationType: { class: "transactional", subtypes: ["shipped", "delivered", "returned"] },
  createApiKey: { name: "Checkout", role: "sender", application: "webshop", purpose: "Order confirmations" },
  createWebhook: {
    url: "https://example.com/hooks",
    application: "webshop",
    events: ["notification.delivered", "notification.failed"],
    description: "Order service",
  },
  updateWebhook: { events: [], description: "Everything" },
  replayFailedWebhooks: { since: "2026-11-01T00:00:00Z" },
};
