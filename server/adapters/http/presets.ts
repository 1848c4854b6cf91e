/** What is known of SMS gateways that the adapter `http` speaks to: settings to start from, and where their consoles show the rest. */

interface HttpPreset {
  /** The provider, as it calls itself. */
  name: string;
  /** What a person has to do or replace, one sentence each, in the order of the form. */
  steps: readonly string[];
  /** Names of the secrets that the headers use, each with the place in the provider's console that shows its value. */
  secrets: Readonly<Record<string, string>>;
  /** Of httpSettingsSchema, which names this list and so cannot give it its type; a test parses each. */
  settings: Readonly<Record<string, string>>;
}

export const httpPresets: readonly HttpPreset[] = [
  {
    name: "46elks",
    steps: ["Receipts need no set-up: their address goes out with every message."],
    secrets: {
      username: "46elks Dashboard → Account → API username",
      password: "46elks Dashboard → Account → API password",
    },
    settings: {
      url: "https://api.46elks.com/a1/sms",
      contentType: "application/x-www-form-urlencoded",
      headers:
        'Authorization: Basic {{ secrets.username | append: ":" | append: secrets.password | base64_encode }}',
      body: "from={{ from }}&to={{ to }}&message={{ text }}&whendelivered={{ callbackUrl }}",
      idPath: "$.id",
      errorPattern: "^(.+)$",
      receiptStatusPath: "$.status",
      receiptIdPath: "$.id",
      receiptStatuses: "sent = sent\ndelivered = delivered\nfailed = failed",
    },
  },
  {
    name: "Plivo",
    steps: [
      "Replace AUTH_ID in the URL by your Auth ID.",
      "Receipts need no set-up: their address goes out with every message.",
    ],
    secrets: {
      authId: "Plivo Console → Overview → Auth ID",
      authToken: "Plivo Console → Overview → Auth Token",
    },
    settings: {
      url: "https://api.plivo.com/v1/Account/AUTH_ID/Message/",
      headers:
        'Authorization: Basic {{ secrets.authId | append: ":" | append: secrets.authToken | base64_encode }}',
      body: '{ "src": "{{ from }}", "dst": "{{ to | remove: "+" }}", "text": "{{ text }}", "url": "{{ callbackUrl }}", "method": "POST" }',
      idPath: "$.message_uuid[0]",
      errorPath: "$.error",
      receiptStatusPath: "$.Status",
      receiptIdPath: "$.MessageUUID",
      receiptStatuses: "sent = sent\ndelivered = delivered\nundelivered = failed\nfailed = failed",
    },
  },
  {
    name: "Sinch",
    steps: [
      "Replace SERVICE_PLAN_ID in the URL by your service plan ID, and eu by us for a plan in the United States.",
      "Receipts need no set-up: their address goes out with every message.",
    ],
    secrets: { apiToken: "Sinch Build Dashboard → SMS → APIs → REST configuration → API token" },
    settings: {
      url: "https://eu.sms.api.sinch.com/xms/v1/SERVICE_PLAN_ID/batches",
      headers: "Authorization: Bearer {{ secrets.apiToken }}",
      body: '{ "from": "{{ from }}", "to": ["{{ to }}"], "body": "{{ text }}", "delivery_report": "per_recipient", "callback_url": "{{ callbackUrl }}" }',
      idPath: "$.id",
      errorPath: "$.text",
      errorCodePath: "$.code",
      receiptStatusPath: "$.status",
      receiptIdPath: "$.batch_id",
      receiptStatuses:
        "Dispatched = sent\nDelivered = delivered\nFailed = failed\nRejected = failed\nExpired = failed\nAborted = failed\nCancelled = failed\nDeleted = failed",
    },
  },
  {
    name: "Telnyx",
    steps: [
      "The sender has to belong to a messaging profile.",
      "Receipts need no set-up: their address goes out with every message.",
    ],
    secrets: { apiKey: "Telnyx Portal → API Keys" },
    settings: {
      url: "https://api.telnyx.com/v2/messages",
      headers: "Authorization: Bearer {{ secrets.apiKey }}",
      body: '{ "from": "{{ from }}", "to": "{{ to }}", "text": "{{ text }}", "webhook_url": "{{ callbackUrl }}" }',
      idPath: "$.data.id",
      errorPath: "$.errors[0].detail",
      errorCodePath: "$.errors[0].code",
      receiptStatusPath: "$.data.payload.to[0].status",
      receiptIdPath: "$.data.payload.id",
      receiptStatuses:
        "sent = sent\ndelivered = delivered\nsending_failed = failed\ndelivery_failed = failed\nexpired = failed",
    },
  },
];
