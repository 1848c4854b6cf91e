import { emptyVariable, type DraftVariable } from "../draft.ts";

/** A mail to start from. Everything in it is a text of the draft afterwards. */
export type MailStarter = {
  id: string;
  label: string;
  says: string;
  subject: string;
  preheader: string;
  body: string;
  variables: readonly DraftVariable[];
};

/** Mails that follow the reader's dark mode: the words and surfaces that a mail program leaves alone otherwise. */
const head = `  <mj-head>
    <mj-attributes>
      <mj-all font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" />
      <mj-text font-size="16px" line-height="24px" color="#1d1d1b" />
      <mj-button background-color="#1f4f8f" color="#ffffff" border-radius="8px" align="left" />
    </mj-attributes>
    <mj-raw><meta name="color-scheme" content="light dark"></mj-raw>
    <mj-style>
      @media (prefers-color-scheme: dark) {
        body, .page > div { background: #161614 !important; }
        .card, .card > table { background: #242422 !important; }
        .words div { color: #f2f2ee !important; }
        .quiet div { color: #b9b9b2 !important; }
      }
    </mj-style>
  </mj-head>`;

const words = (text: string) => `<mj-text css-class="words">${text}</mj-text>`;
const title = (text: string) =>
  `<mj-text css-class="words" font-size="22px" line-height="28px" font-weight="700">${text}</mj-text>`;
const quiet = (text: string) =>
  `<mj-text css-class="quiet" font-size="13px" line-height="18px" color="#5b5b57">${text}</mj-text>`;
const button = (label: string, address: string) => `<mj-button href="${address}">${label}</mj-button>`;

const section = (attributes: string, contents: readonly string[]) =>
  `    <mj-section${attributes}>
      <mj-column>
${contents.map((content) => `        ${content}`).join("\n")}
      </mj-column>
    </mj-section>`;

function mail(card: readonly string[], footer: readonly string[]): string {
  return `<mjml>
${head}
  <mj-body css-class="page" background-color="#f4f4f2" width="560px">
${section(' padding="24px 0 12px"', [quiet("Your organisation")])}
${section(' css-class="card" background-color="#ffffff" border-radius="10px" padding="16px 0"', card)}
${section(' padding="12px 0 24px"', footer)}
  </mj-body>
</mjml>
`;
}

const variable = (name: string, more: Partial<DraftVariable>): DraftVariable => ({
  ...emptyVariable,
  name,
  ...more,
});
const customerName = variable("customerName", { example: "Ada", maxLength: "80" });

/** What most mails are one of. */
export const mailStarters: readonly MailStarter[] = [
  {
    id: "plain",
    label: "Plain",
    says: "A greeting, a text and a sign-off",
    subject: "A message for you",
    preheader: "",
    body: mail(
      [
        words("Hello {{ customerName }},"),
        words("Write your text here."),
        words("Kind regards,<br />Your organisation"),
      ],
      [quiet("Your organisation, street, city")],
    ),
    variables: [customerName],
  },
  {
    id: "order",
    label: "Receipt or order update",
    says: "What happened to an order, its total and a link to it",
    subject: "Your order {{ orderNumber }}",
    preheader: "{{ status }}",
    body: mail(
      [
        title("Your order {{ orderNumber }}"),
        words("Hello {{ customerName }}, your order is now: {{ status }}."),
        words(`<strong>Total: {{ total | money: "EUR" }}</strong>`),
        button("View order", "{{ orderUrl }}"),
      ],
      [quiet("You get this message because you ordered from us."), quiet("Your organisation, street, city")],
    ),
    variables: [
      customerName,
      variable("orderNumber", { example: "A-1042", maxLength: "40" }),
      variable("status", { example: "shipped", maxLength: "80" }),
      variable("total", { type: "number", example: "49.90" }),
      variable("orderUrl", { type: "url", example: "https://example.com/orders/A-1042", maxLength: "500" }),
    ],
  },
  {
    id: "code",
    label: "One-time code",
    says: "A code to sign in or confirm, and how long it is valid",
    subject: "Your code is {{ code }}",
    preheader: "It is valid for {{ minutes }} minutes.",
    body: mail(
      [
        title("Your code"),
        `<mj-text css-class="words" font-size="32px" line-height="40px" font-weight="700" letter-spacing="4px">{{ code }}</mj-text>`,
        words("It is valid for {{ minutes }} minutes. Nobody from our team will ever ask you for it."),
      ],
      [quiet("If you didn’t ask for a code, you can ignore this message.")],
    ),
    variables: [
      variable("code", { example: "482913", maxLength: "12" }),
      variable("minutes", { type: "number", example: "10" }),
    ],
  },
  {
    id: "newsletter",
    label: "Newsletter",
    says: "A headline, two stories side by side and a button",
    subject: "News from your organisation",
    preheader: "What is new this month",
    body: `<mjml>
${head}
  <mj-body css-class="page" background-color="#f4f4f2" width="600px">
${section(' padding="24px 0 12px"', [quiet("Your organisation")])}
${section(' css-class="card" background-color="#ffffff" border-radius="10px 10px 0 0" padding="16px 0"', [
  title("The headline of this month"),
  words("Hello {{ customerName }}, write what matters most here."),
  button("Read more", "{{ articleUrl }}"),
])}
    <mj-section css-class="card" background-color="#ffffff" border-radius="0 0 10px 10px" padding="0 0 16px">
      <mj-column>
        ${words("<strong>First story</strong><br />Two or three sentences.")}
      </mj-column>
      <mj-column>
        ${words("<strong>Second story</strong><br />Two or three sentences.")}
      </mj-column>
    </mj-section>
${section(' padding="12px 0 24px"', [
  quiet("You get this message because you subscribed to our news."),
  quiet("Your organisation, street, city"),
])}
  </mj-body>
</mjml>
`,
    variables: [
      customerName,
      variable("articleUrl", { type: "url", example: "https://example.com/news", maxLength: "500" }),
    ],
  },
];
