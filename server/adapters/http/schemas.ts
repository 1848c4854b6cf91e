/** What a connection to any provider that takes messages over HTTP is configured with. */
import { z } from "zod";
import { line } from "../schemas.ts";
import { checkFrame } from "./http-request.ts";
import { parseLines, parseStatuses } from "./http-settings.ts";
import { httpPresets } from "./presets.ts";
import { isPath } from "./read-answer.ts";

const bodyTypes = [
  "application/json",
  "application/x-www-form-urlencoded",
  "application/xml",
  "text/plain",
] as const;

const valuePath = line(512).refine(isPath, {
  error: "A path such as $.messages[0].id in JSON, or /answer/message/@id in XML",
});
/** Checked when settings are saved: the engine is no matter of browsers. */
const pattern = line(200);
const headerName = line(128).regex(/^[A-Za-z0-9-]+$/, { error: "A header's name" });
const statuses = line(200).refine((text) => parseStatuses(text) !== null, {
  error: "Status codes and ranges, such as 200-299 or 200, 202",
});
const pairs = (max: number, separator: ":" | "=") =>
  z
    .string()
    .max(max)
    .refine((text) => parseLines(text, separator) !== null, {
      error: separator === ":" ? "One header per line: Name: value" : "One per line: name = value",
    });

export const httpCredentialsSchema = z.strictObject({
  secrets: pairs(8_192, "=")
    .refine(
      (text) => [...(parseLines(text, "=")?.keys() ?? [])].every((name) => /^[A-Za-z_]\w*$/.test(name)),
      {
        error: "Use letters, digits and _ in names",
      },
    )
    .default("")
    .meta({
      title: "Secrets",
      description:
        "One per line: name = value. Used as {{ secrets.name }}, in headers only, and never shown again",
      multiline: true,
    }),
  callbackSecret: line(256).min(16).optional().meta({
    title: "Callback signing secret",
    description: "Verifies callbacks, by signature or as a token in their address. Required for receipts",
  }),
});
export type HttpCredentials = z.infer<typeof httpCredentialsSchema>;

/** The form in the order in which a person reads a provider's documentation: which fields of either schema each step has. */
export const httpSteps: readonly {
  title: string;
  hint: string;
  settings: readonly string[];
  credentials: readonly string[];
}[] = [
  {
    title: "Request",
    hint: "The call that sends one message, as the provider's documentation describes it",
    settings: ["method", "url", "contentType", "body", "timeoutSeconds", "recognisesRepeats"],
    credentials: [],
  },
  {
    title: "Authentication",
    hint: "Secrets are stored encrypted and used in headers only",
    settings: ["headers"],
    credentials: ["secrets"],
  },
  {
    title: "Response",
    hint: "How a response says that the message was accepted, and where its ID and errors are",
    settings: [
      "successStatuses",
      "retryStatuses",
      "successPath",
      "successValue",
      "successText",
      "successPattern",
      "idPath",
      "idPattern",
      "idHeader",
      "errorPath",
      "errorPattern",
      "errorHeader",
      "errorCodePath",
      "errorCodePattern",
      "errorCodeHeader",
      "pricePath",
      "priceCurrency",
    ],
    credentials: [],
  },
  {
    title: "Callbacks",
    hint: "Delivery receipts that the provider posts. Without them, messages end as sent",
    settings: ["receiptStatusPath", "receiptIdPath", "receiptStatuses", "receiptSignatureHeader"],
    credentials: ["callbackSecret"],
  },
  {
    title: "Test",
    hint: "Checks address and certificate and shows the request. No message is sent",
    settings: [],
    credentials: [],
  },
];

/** `section`: a heading of the form, for the fields from there to the next one. `steps`, `presets`: the form's. */
export const httpSettingsSchema = z
  .strictObject({
    method: z.enum(["POST", "PUT", "PATCH", "GET"]).default("POST").meta({ title: "Method" }),
    url: line(2_048).meta({
      title: "URL",
      description: "May contain Liquid after the host, e.g. {{ to }}; values are encoded",
    }),
    headers: pairs(8_192, ":").default("").meta({
      title: "Headers",
      description: "One per line: Name: value. Values may contain Liquid, and {{ secrets.name }} only here",
      multiline: true,
    }),
    contentType: z.enum(bodyTypes).default("application/json").meta({ title: "Content type" }),
    body: z.string().max(32_768).default("").meta({
      title: "Body",
      description: "Liquid; values are encoded for the content type",
      multiline: true,
    }),
    timeoutSeconds: z.number().int().min(1).max(60).default(15).meta({ title: "Timeout (seconds)" }),
    recognisesRepeats: z.boolean().default(false).meta({
      title: "The provider detects duplicates",
      description: "It sends a message once, however often it gets the same {{ idempotencyKey }}",
    }),
    successStatuses: statuses.default("200-299").meta({
      title: "Success status codes",
      description: "The conditions below must hold as well, if there are any",
      section: "When a message counts as sent",
    }),
    retryStatuses: statuses.default("429").meta({
      title: "Retry status codes",
      description: "With these, the provider has certainly not accepted the message",
    }),
    successPath: valuePath.optional().meta({
      title: "Success field",
      description: "Path in JSON, e.g. $.status, or in XML, e.g. /answer/status",
    }),
    successValue: line(200).optional().meta({
      title: "Expected value",
      description: "Value of the success field when the message was accepted. Empty: any value",
    }),
    successText: line(200).optional().meta({
      title: "Expected text",
      description: "Appears somewhere in the response when the message was accepted, e.g. OK:",
    }),
    successPattern: pattern.optional().meta({
      title: "Expected pattern",
      description: "Regular expression that the response matches when the message was accepted, e.g. ^OK\\b",
    }),
    idPath: valuePath.optional().meta({
      title: "Message ID field",
      description: "Path in JSON, e.g. $.messages[0].id, or in XML, e.g. /answer/message/@id",
      section: "Message ID in the response",
    }),
    idPattern: pattern.optional().meta({
      title: "Message ID pattern",
      description: "Regular expression whose group captures the ID, e.g. ^OK: (\\S+)",
    }),
    idHeader: headerName.optional().meta({
      title: "Message ID header",
      description: "Response header, e.g. X-Message-Id",
    }),
    errorPath: valuePath.optional().meta({
      title: "Error message field",
      description: "Path in the response to a rejected message",
      section: "Errors in the response",
    }),
    errorPattern: pattern.optional().meta({
      title: "Error message pattern",
      description: "Regular expression whose group captures the text, e.g. ^ERR:(.*)",
    }),
    errorHeader: headerName.optional().meta({ title: "Error message header" }),
    errorCodePath: valuePath.optional().meta({
      title: "Error code field",
      description: "Without one, the HTTP status is the code",
    }),
    errorCodePattern: pattern.optional().meta({
      title: "Error code pattern",
      description: "Regular expression whose group captures the code, e.g. ^ERR (\\d+)",
    }),
    errorCodeHeader: headerName.optional().meta({ title: "Error code header" }),
    pricePath: valuePath.optional().meta({
      title: "Price field",
      description: "Path in the response; the price of the whole message",
      section: "Price in the response",
    }),
    priceCurrency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: "Three capital letters, e.g. EUR" })
      .optional()
      .meta({ title: "Price currency" }),
    receiptStatusPath: valuePath.optional().meta({
      title: "Receipt status field",
      description:
        "Path in what the provider posts to the callback address: JSON, XML or a form ($.field). Empty: no receipts, and messages end as sent",
    }),
    receiptIdPath: valuePath.optional().meta({
      title: "Receipt message ID field",
      description: "Needed where the request does not name {{ callbackUrl }}",
    }),
    receiptStatuses: pairs(4_096, "=").default("").meta({
      title: "Status mapping",
      description: "One per line: the provider's status = sent, delivered or failed. Others are ignored",
      multiline: true,
    }),
    receiptSignatureHeader: headerName.optional().meta({
      title: "Signature header",
      description:
        "HMAC-SHA256 of the body with the callback signing secret, in hexadecimal or base64. Without it, the address contains a token",
    }),
  })
  .superRefine((settings, ctx) => {
    for (const { path, message } of checkFrame(settings))
      ctx.addIssue({ code: "custom", path: [path], message });
    if ((settings.pricePath === undefined) !== (settings.priceCurrency === undefined)) {
      ctx.addIssue({
        code: "custom",
        path: ["priceCurrency"],
        message: "Enter both the price field and its currency",
      });
    }
    const words = [...(parseLines(settings.receiptStatuses, "=") ?? [])];
    if (words.some(([, meaning]) => !["sent", "delivered", "failed"].includes(meaning))) {
      ctx.addIssue({
        code: "custom",
        path: ["receiptStatuses"],
        message: "After = write sent, delivered or failed",
      });
    }
    if ((settings.receiptStatusPath === undefined) !== (words.length === 0)) {
      ctx.addIssue({
        code: "custom",
        path: ["receiptStatuses"],
        message: "Receipts need the status field and a mapping of the provider's statuses",
      });
    }
  })
  .meta({ steps: httpSteps, presets: httpPresets });
export type HttpSettings = z.infer<typeof httpSettingsSchema>;
