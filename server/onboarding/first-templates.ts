import type { TemplateMetadata, WhatsappMetadata } from "../template-language/metadata.ts";
import type { VariableDeclaration } from "../template-language/variables.ts";
import type { FirstTemplate } from "../templates/insert-first-templates.ts";

/** The languages of the texts that come with the product. */
export type FirstLanguage = "en" | "de";

/** The first catalogue of an organisation: one type of each class. */
export const firstTypes = [
  { type: "authentication", class: "authentication", subtypes: ["one_time_passcode"] },
  { type: "order", class: "transactional", subtypes: ["order_status", "delivery_eta"] },
  { type: "account", class: "service", subtypes: ["maintenance"] },
  { type: "marketing", class: "marketing", subtypes: ["promotion"] },
] as const;

/** A plain, narrow e-mail that reads well in every client: a heading, paragraphs, and one button at most. */
function mail(heading: string, paragraphs: string[], footer: string): string {
  const text = paragraphs
    .map((paragraph) => `<p style="margin:0 0 16px">${paragraph}</p>`)
    .join("\n        ");
  return `<!doctype html>
<html>
  <body style="margin:0;background:#f4f4f2;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;color:#1d1d1b">
    <div style="max-width:520px;margin:0 auto;padding:32px 20px">
      <p style="margin:0 0 20px;font-weight:600;color:#5b5b57">[[organisation]]</p>
      <div style="background:#ffffff;border-radius:10px;padding:28px;font-size:16px;line-height:1.5">
        <h1 style="margin:0 0 16px;font-size:22px;line-height:1.25">${heading}</h1>
        ${text}
      </div>
      <p style="margin:20px 0 0;font-size:13px;color:#77776f">${footer}</p>
    </div>
  </body>
</html>`;
}

function button(variable: string, label: string): string {
  return `<a href="{{ ${variable} }}" style="display:inline-block;background:#1d1d1b;color:#ffffff;text-decoration:none;border-radius:8px;padding:11px 18px">${label}</a>`;
}

/** An offer with a band of colour, in MJML: what the other mails do with plain HTML would be a page of tables here. */
function offerMail(greeting: string, label: string, footer: string): string {
  return `<mjml>
  <mj-head>
    <mj-title>{{ offer }}</mj-title>
    <mj-attributes>
      <mj-all font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" />
      <mj-text font-size="16px" line-height="24px" color="#1d1d1b" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f4f4f2" width="560px">
    <mj-section padding="24px 0 12px">
      <mj-column>
        <mj-text font-weight="600" color="#5b5b57">[[organisation]]</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#1f5f4c" border-radius="10px 10px 0 0" padding="28px 0">
      <mj-column>
        <mj-text align="center" font-size="28px" line-height="34px" font-weight="700" color="#ffffff">{{ offer }}</mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" border-radius="0 0 10px 10px" padding="20px 0 24px">
      <mj-column>
        <mj-text>${greeting}</mj-text>
        <mj-button href="{{ shopUrl }}" background-color="#1d1d1b" border-radius="8px" align="left">${label}</mj-button>
      </mj-column>
    </mj-section>
    <mj-section padding="12px 0 24px">
      <mj-column>
        <mj-text font-size="13px" line-height="18px" color="#6b6b64">${footer}</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>`;
}

const variable = (
  name: string,
  example: string,
  more: Partial<VariableDeclaration> = {},
): VariableDeclaration => ({
  name,
  type: "string",
  required: true,
  example,
  maxLength: 80,
  ...more,
});

const code = variable("code", "482913", { maxLength: 12 });
const minutes = variable("minutes", "10", { type: "number", maxLength: 3 });
const customerName = variable("customerName", "Ada");
const orderNumber = variable("orderNumber", "A-1042", { maxLength: 40 });
const status = variable("status", "shipped", {
  type: "enum",
  values: ["confirmed", "shipped", "delivered", "canceled"],
});
const trackingUrl = variable("trackingUrl", "https://shop.example/orders/A-1042", {
  type: "url",
  required: false,
  maxLength: 500,
});
const eta = variable("eta", "2027-01-31T14:30:00Z", { type: "date" });
const from = variable("from", "2027-01-31T22:00:00Z", { type: "date" });
const until = variable("until", "2027-02-01T02:00:00Z", { type: "date" });
const offer = variable("offer", "20 % off everything for the garden", { maxLength: 120 });
const shopUrl = variable("shopUrl", "https://shop.example/garden", { type: "url", maxLength: 500 });

/** One line of text in both languages: subject (e-mail only) and body. */
interface Line {
  subject?: string;
  body: string;
}

function both(
  about: Omit<FirstTemplate, "language" | "subject" | "body" | "metadata"> & {
    metadata?: (language: "en" | "de") => TemplateMetadata;
  },
  lines: Record<"en" | "de", Line>,
): FirstTemplate[] {
  const { metadata, ...rest } = about;
  return (["en", "de"] as const).map((language) => ({
    ...rest,
    language,
    subject: lines[language].subject ?? null,
    body: lines[language].body,
    metadata: metadata?.(language) ?? {},
  }));
}

/**
 * Names the template that has to be approved at the provider before real messages go out by it: WhatsApp takes a free text only
 * within 24 hours of the recipient's own last message.
 */
const approved =
  (
    templateName: string,
    category: NonNullable<WhatsappMetadata["category"]>,
    parameters: (language: FirstLanguage) => string[],
  ) =>
  (language: FirstLanguage): WhatsappMetadata => ({
    templateName,
    category,
    language,
    parameters: parameters(language),
  });

const passcode = {
  name: "one-time-passcode",
  notificationType: "authentication",
  notificationSubtype: "one_time_passcode",
};
const orderStatus = { name: "order-status", notificationType: "order", notificationSubtype: "order_status" };
const deliveryEta = { name: "delivery-eta", notificationType: "order", notificationSubtype: "delivery_eta" };
const maintenance = { name: "maintenance", notificationType: "account", notificationSubtype: "maintenance" };
const promotion = { name: "promotion", notificationType: "marketing", notificationSubtype: "promotion" };

const automatic = {
  en: "You receive this message because of your order or account at [[organisation]].",
  de: "Sie erhalten diese Nachricht zu Ihrer Bestellung oder Ihrem Konto bei [[organisation]].",
};
const statusWords = {
  en: `{% case status %}{% when "confirmed" %}confirmed{% when "shipped" %}on its way{% when "delivered" %}delivered{% else %}canceled{% endcase %}`,
  de: `{% case status %}{% when "confirmed" %}bestätigt{% when "shipped" %}unterwegs{% when "delivered" %}zugestellt{% else %}storniert{% endcase %}`,
};

/** One for every type and channel where it is usual, in English and German. `[[organisation]]` is filled in when they are used. */
const texts: FirstTemplate[] = [
  ...both(
    { ...passcode, channel: "sms", variables: [code, minutes] },
    {
      en: {
        body: "{{ code }} is your [[organisation]] code. It is valid for {{ minutes }} minutes. Never share it.",
      },
      de: {
        body: "{{ code }} ist Ihr Code von [[organisation]]. Er gilt {{ minutes }} Minuten. Geben Sie ihn nicht weiter.",
      },
    },
  ),
  ...both(
    { ...passcode, channel: "email", variables: [code, minutes] },
    {
      en: {
        subject: "{{ code }} is your sign-in code",
        body: mail(
          "Your sign-in code",
          [
            `<strong style="font-size:30px;letter-spacing:4px">{{ code }}</strong>`,
            "It is valid for {{ minutes }} minutes. If you did not ask for it, ignore this message.",
          ],
          automatic.en,
        ),
      },
      de: {
        subject: "{{ code }} ist Ihr Anmeldecode",
        body: mail(
          "Ihr Anmeldecode",
          [
            `<strong style="font-size:30px;letter-spacing:4px">{{ code }}</strong>`,
            "Er gilt {{ minutes }} Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht.",
          ],
          automatic.de,
        ),
      },
    },
  ),
  ...both(
    {
      ...passcode,
      channel: "whatsapp",
      variables: [code, minutes],
      metadata: approved("one_time_passcode", "authentication", () => ["{{ code }}", "{{ minutes }}"]),
    },
    {
      en: { body: "*{{ code }}* is your [[organisation]] code, valid for {{ minutes }} minutes." },
      de: { body: "*{{ code }}* ist Ihr Code von [[organisation]], gültig für {{ minutes }} Minuten." },
    },
  ),
  ...both(
    { ...orderStatus, channel: "sms", variables: [customerName, orderNumber, status, trackingUrl] },
    {
      en: {
        body: `Hello {{ customerName }}, your order {{ orderNumber }} is ${statusWords.en}.{% if trackingUrl %} {{ trackingUrl }}{% endif %}`,
      },
      de: {
        body: `Hallo {{ customerName }}, Ihre Bestellung {{ orderNumber }} ist ${statusWords.de}.{% if trackingUrl %} {{ trackingUrl }}{% endif %}`,
      },
    },
  ),
  ...both(
    { ...orderStatus, channel: "email", variables: [customerName, orderNumber, status, trackingUrl] },
    {
      en: {
        subject: `Your order {{ orderNumber }} is ${statusWords.en}`,
        body: mail(
          "Hello {{ customerName }}",
          [
            `your order <strong>{{ orderNumber }}</strong> is ${statusWords.en}.`,
            `{% if trackingUrl %}${button("trackingUrl", "Follow your order")}{% else %}We keep you posted.{% endif %}`,
          ],
          automatic.en,
        ),
      },
      de: {
        subject: `Ihre Bestellung {{ orderNumber }} ist ${statusWords.de}`,
        body: mail(
          "Hallo {{ customerName }}",
          [
            `Ihre Bestellung <strong>{{ orderNumber }}</strong> ist ${statusWords.de}.`,
            `{% if trackingUrl %}${button("trackingUrl", "Sendung verfolgen")}{% else %}Wir halten Sie auf dem Laufenden.{% endif %}`,
          ],
          automatic.de,
        ),
      },
    },
  ),
  ...both(
    {
      ...orderStatus,
      channel: "whatsapp",
      variables: [customerName, orderNumber, status, trackingUrl],
      metadata: approved("order_status", "utility", (language) => [
        "{{ customerName }}",
        "{{ orderNumber }}",
        statusWords[language],
      ]),
    },
    {
      en: {
        body: `Hello {{ customerName }}, your order *{{ orderNumber }}* is ${statusWords.en}.{% if trackingUrl %}\n{{ trackingUrl }}{% endif %}`,
      },
      de: {
        body: `Hallo {{ customerName }}, Ihre Bestellung *{{ orderNumber }}* ist ${statusWords.de}.{% if trackingUrl %}\n{{ trackingUrl }}{% endif %}`,
      },
    },
  ),
  ...both(
    { ...deliveryEta, channel: "sms", variables: [orderNumber, eta] },
    {
      en: { body: 'Order {{ orderNumber }} arrives on {{ eta | date: "datetime" }}.' },
      de: { body: 'Bestellung {{ orderNumber }} kommt am {{ eta | date: "datetime" }}.' },
    },
  ),
  ...both(
    {
      ...deliveryEta,
      channel: "whatsapp",
      variables: [orderNumber, eta],
      metadata: approved("delivery_eta", "utility", () => [
        "{{ orderNumber }}",
        '{{ eta | date: "datetime" }}',
      ]),
    },
    {
      en: {
        body: 'Order *{{ orderNumber }}* arrives on {{ eta | date: "datetime" }}. Not at home? Just answer here.',
      },
      de: {
        body: 'Bestellung *{{ orderNumber }}* kommt am {{ eta | date: "datetime" }}. Nicht da? Antworten Sie einfach hier.',
      },
    },
  ),
  ...both(
    { ...maintenance, channel: "email", variables: [from, until] },
    {
      en: {
        subject: 'The shop pauses on {{ from | date: "long" }}',
        body: mail(
          "A short pause",
          [
            'From {{ from | date: "datetime" }} until {{ until | date: "datetime" }} we improve the shop; you cannot order then.',
          ],
          automatic.en,
        ),
      },
      de: {
        subject: 'Der Shop pausiert am {{ from | date: "long" }}',
        body: mail(
          "Eine kurze Pause",
          [
            'Von {{ from | date: "datetime" }} bis {{ until | date: "datetime" }} verbessern wir den Shop; Bestellungen sind dann nicht möglich.',
          ],
          automatic.de,
        ),
      },
    },
  ),
  ...both(
    {
      ...promotion,
      channel: "email",
      variables: [customerName, offer, shopUrl],
      metadata: () => ({ format: "mjml" }),
    },
    {
      en: {
        subject: "{{ offer }}",
        body: offerMail(
          "Hello {{ customerName }}, this is for you.",
          "Have a look",
          "You receive this message because you agreed to offers of [[organisation]]. You can end that at any time.",
        ),
      },
      de: {
        subject: "{{ offer }}",
        body: offerMail(
          "Hallo {{ customerName }}, das ist für Sie.",
          "Ansehen",
          "Sie erhalten diese Nachricht, weil Sie Angeboten von [[organisation]] zugestimmt haben. Das können Sie jederzeit beenden.",
        ),
      },
    },
  ),
  ...both(
    { ...promotion, channel: "sms", variables: [offer, shopUrl] },
    {
      en: { body: "[[organisation]]: {{ offer }} {{ shopUrl }} Reply STOP to end." },
      de: { body: "[[organisation]]: {{ offer }} {{ shopUrl }} Ende mit STOP." },
    },
  ),
];

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * The first templates of an organisation in some languages. Its name is text in them whatever it holds: no markup, and no
 * Liquid.
 */
export function firstTemplates(organisation: string, languages: readonly FirstLanguage[]): FirstTemplate[] {
  const plain = organisation.replaceAll(/[{}]/g, "");
  const html = plain.replaceAll(/[&<>"]/g, (character) => entities[character] ?? "");
  return texts
    .filter(({ language }) => (languages as readonly string[]).includes(language))
    .map((text) => ({
      ...text,
      body: text.body.replaceAll("[[organisation]]", () => (text.channel === "email" ? html : plain)),
    }));
}
