/** What a connection to any provider that takes messages over HTTP is configured with. */
import { z } from "zod";
import { line } from "../schemas.ts";
import { checkFrame } from "./http-request.ts";
import { parseLines, parseStatuses } from "./http-settings.ts";
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
      error: separator === ":" ? "One header a line: Name: value" : "One a line: name = value",
    });

export const httpCredentialsSchema = z.strictObject({
  secrets: pairs(8_192, "=")
    .refine(
      (text) => [...(parseLines(text, "=")?.keys() ?? [])].every((name) => /^[A-Za-z_]\w*$/.test(name)),
      {
        error: "Names are of letters, digits and _",
      },
    )
    .default("")
    .meta({
      title: "Secrets",
      description:
        "One a line: name = value. Used as {{ secrets.name }} in headers, nowhere else, and never shown again",
      multiline: true,
    }),
  callbackSecret: line(256).min(16).optional().meta({
    title: "Callback signing secret",
    description: "Verifies callbacks, by signature or as a token in their address. Required for receipts",
  }),
});
export type HttpCredentials = z.infer<typeof httpCredentialsSchema>;

/** `section`: a heading of the form, for the fields from there to the next one. */
export const httpSettingsSchema = z
  .strictObject({
    method: z
      .enum(["POST", "PUT", "PATCH", "GET"])
      .default("POST")
      .meta({ title: "Method", section: "The request" }),
    url: line(2_048).meta({
      title: "URL",
      description: "May hold Liquid behind the host, such as {{ to }}; values are encoded",
    }),
    headers: pairs(8_192, ":").default("").meta({
      title: "Headers",
      description:
        "One a line: Name: value. Values may hold Liquid, and {{ secrets.name }}, which stands nowhere else",
      multiline: true,
    }),
    contentType: z.enum(bodyTypes).default("application/json").meta({ title: "Content type" }),
    body: z.string().max(32_768).default("").meta({
      title: "Body",
      description: "Liquid; values are encoded for the content type",
      multiline: true,
    }),
    timeoutSeconds: z.number().int().min(1).max(60).default(15).meta({ title: "Timeout in seconds" }),
    recognisesRepeats: z.boolean().default(false).meta({
      title: "Recognises repeated messages",
      description:
        "The provider sends a message once, however often it comes with the same {{ idempotencyKey }}",
    }),
    successStatuses: statuses.default("200-299").meta({
      title: "Statuses of success",
      description: "What follows must be so as well, if it is given",
      section: "When a message counts as sent",
    }),
    retryStatuses: statuses.default("429").meta({
      title: "Statuses to try again",
      description: "The provider has certainly not taken the message",
    }),
    successPath: valuePath.optional().meta({
      title: "Path of success",
      description: "In JSON, e.g. $.status, or in XML, e.g. /answer/status",
    }),
    successValue: line(200).optional().meta({
      title: "Value of success",
      description: "What stands there when the message was taken; empty: anything",
    }),
    successText: line(200).optional().meta({
      title: "Text of success",
      description: "Stands somewhere in the answer when the message was taken, e.g. OK:",
    }),
    successPattern: pattern.optional().meta({
      title: "Pattern of success",
      description: "A regular expression that such an answer matches, e.g. ^OK\\b",
    }),
    idPath: valuePath.optional().meta({
      title: "Path of the message ID",
      description: "In JSON, e.g. $.messages[0].id, or in XML, e.g. /answer/message/@id",
      section: "The message's ID in the answer",
    }),
    idPattern: pattern.optional().meta({
      title: "Pattern of the message ID",
      description: "A regular expression; the ID is what its group matches, e.g. ^OK: (\\S+)",
    }),
    idHeader: headerName.optional().meta({
      title: "Header of the message ID",
      description: "Of the answer, e.g. X-Message-Id",
    }),
    errorPath: valuePath.optional().meta({
      title: "Path of the error's text",
      description: "In the answer to a refused message",
      section: "Errors in the answer",
    }),
    errorPattern: pattern.optional().meta({
      title: "Pattern of the error's text",
      description: "The text is what its group matches, e.g. ^ERR:(.*)",
    }),
    errorHeader: headerName.optional().meta({ title: "Header of the error's text" }),
    errorCodePath: valuePath.optional().meta({
      title: "Path of the error's code",
      description: "Without one, the status is the code",
    }),
    errorCodePattern: pattern.optional().meta({
      title: "Pattern of the error's code",
      description: "The code is what its group matches, e.g. ^ERR (\\d+)",
    }),
    errorCodeHeader: headerName.optional().meta({ title: "Header of the error's code" }),
    pricePath: valuePath.optional().meta({
      title: "Path of the price",
      description: "In the answer, for the whole message",
      section: "The price in the answer",
    }),
    priceCurrency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: "Three capital letters, e.g. EUR" })
      .optional()
      .meta({ title: "Currency of the price" }),
    receiptStatusPath: valuePath.optional().meta({
      title: "Path of the status",
      description:
        "In what the provider posts to the callback address: JSON, XML or a form ($.field). Empty: it sends no receipts, and a message ends as sent",
      section: "Receipts",
    }),
    receiptIdPath: valuePath.optional().meta({
      title: "Path of the message ID",
      description: "Needed where the request does not name {{ callbackUrl }}",
    }),
    receiptStatuses: pairs(4_096, "=").default("").meta({
      title: "Statuses",
      description: "One a line: the provider's word = sent, delivered or failed. Other words are ignored",
      multiline: true,
    }),
    receiptSignatureHeader: headerName.optional().meta({
      title: "Header of the signature",
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
        message: "A price needs its path and its currency",
      });
    }
    const words = [...(parseLines(settings.receiptStatuses, "=") ?? [])];
    if (words.some(([, meaning]) => !["sent", "delivered", "failed"].includes(meaning))) {
      ctx.addIssue({
        code: "custom",
        path: ["receiptStatuses"],
        message: "Behind = stands sent, delivered or failed",
      });
    }
    if ((settings.receiptStatusPath === undefined) !== (words.length === 0)) {
      ctx.addIssue({
        code: "custom",
        path: ["receiptStatuses"],
        message: "Receipts need the path of the status and the provider's words for it",
      });
    }
  });
export type HttpSettings = z.infer<typeof httpSettingsSchema>;
