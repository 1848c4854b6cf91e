import type { VersionContent } from "../template-language/render.ts";
import type { VariableDeclaration } from "../template-language/variables.ts";
import type { LiveTemplate } from "./queries.ts";

/*
 * What the service itself sends to the people of an organisation. The texts are part of the product and in no table, so nobody
 * who may write templates can change what stands around a link that opens an account.
 */

/** No organisation can have a type of this name: theirs begin with a letter. */
export const builtInType = "_access";

/** Whether a message was written by the service itself. Nobody is shown its text or address, whatever they may reveal. */
export function isBuiltIn({ notificationType }: { notificationType: string }): boolean {
  return notificationType === builtInType;
}

export interface BuiltInTemplate {
  template: LiveTemplate;
  content: VersionContent;
}

const line = (name: string): VariableDeclaration => ({ name, type: "string", required: true });
const common: VariableDeclaration[] = [
  line("organisation"),
  { name: "link", type: "url", required: true },
  line("expires"),
];
/** How the organisation looks; all optional, so that messages from before a change of the texts can be rendered. */
const brand: VariableDeclaration[] = [
  { name: "sender", type: "string", required: false },
  { name: "logo", type: "url", required: false },
  ...["logoWidth", "logoHeight"].map((name) => ({ name, type: "number" as const, required: false })),
  ...["accent", "onAccent", "support", "supportLink"].map((name) => ({
    name,
    type: "string" as const,
    required: false,
  })),
];

const brandLine = `{% if logo != blank %}<img src="{{ logo }}" width="{{ logoWidth }}" height="{{ logoHeight }}" alt="{{ organisation }}" style="display:block;border:0">{% else %}{{ organisation }}{% endif %}`;

/** The page of a message: a heading, what it says, and a button. */
const page = (text: {
  heading: string;
  paragraphs: string[];
  table?: string;
  button: string;
  until: string;
  otherwise: string;
}) =>
  `<!doctype html>
<html lang="en">
  <body style="margin:0;background:#f4f4f2;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;color:#1d1d1b">
    <div style="max-width:520px;margin:0 auto;padding:32px 20px">
      <p style="margin:0 0 20px;font-weight:600;color:#5b5b57">${brandLine}</p>
      <div style="background:#ffffff;border-radius:10px;padding:28px;font-size:16px;line-height:1.5">
        <h1 style="margin:0 0 16px;font-size:22px;line-height:1.25">${text.heading}</h1>
${text.paragraphs.map((paragraph) => `        <p style="margin:0 0 16px">${paragraph}</p>`).join("\n")}${text.table ?? ""}
        <p style="margin:0 0 16px"><a href="{{ link }}" style="display:inline-block;background:{{ accent | default: "#1d1d1b" }};color:{{ onAccent | default: "#ffffff" }};text-decoration:none;border-radius:8px;padding:11px 18px">${text.button}</a></p>
        <p style="margin:0">${text.until}</p>
      </div>
      <p style="margin:20px 0 0;font-size:13px;color:#77776f">${text.otherwise}</p>
      <p style="margin:8px 0 0;font-size:13px;color:#77776f">Sent by {{ sender | default: organisation }} through Tidings.{% if support != blank %} Questions? <a href="{{ supportLink }}" style="color:#77776f">{{ support }}</a>{% endif %}</p>
    </div>
  </body>
</html>`;

function builtIn(facts: {
  id: string;
  name: string;
  subtype: string;
  variables: VariableDeclaration[];
  subject: string;
  body: string;
}): BuiltInTemplate {
  const variables = [...facts.variables, ...brand];
  return {
    template: {
      id: facts.id,
      name: facts.name,
      version: 1,
      channel: "email",
      notificationType: builtInType,
      notificationSubtype: facts.subtype,
      region: null,
      language: null,
      provider: null,
      disabled: false,
      variables,
      sender: null,
    },
    content: {
      channel: "email",
      subject: facts.subject,
      body: facts.body,
      metadata: {},
      variables,
      compiledBody: null,
    },
  };
}

/** Asks somebody to become a member. */
export const invitationTemplate = builtIn({
  id: "00000000-0000-7000-8000-000000000001",
  name: "Invitation",
  subtype: "invitation",
  variables: [line("name"), line("inviter"), ...common],
  subject: "{{ inviter }} invites you to {{ organisation }} on Tidings",
  body: page({
    heading: "Join {{ organisation }}",
    paragraphs: [
      "Hello {{ name }},",
      "{{ inviter }} invites you to the portal in which {{ organisation }} sends and follows its messages.",
    ],
    button: "Accept the invitation",
    until: "The link works once, until {{ expires }}.",
    otherwise: "If you don't know {{ inviter }}, you can ignore this message.",
  }),
});

/** Lets somebody choose a new password who has forgotten theirs. */
export const passwordTemplate = builtIn({
  id: "00000000-0000-7000-8000-000000000002",
  name: "New password",
  subtype: "new_password",
  variables: [line("name"), ...common],
  subject: "Choose a new password for {{ organisation }} on Tidings",
  body: page({
    heading: "Choose a new password",
    paragraphs: [
      "Hello {{ name }},",
      "somebody asked for a new password for your account at {{ organisation }} on Tidings.",
    ],
    button: "Choose a password",
    until: "The link works once, until {{ expires }}.",
    otherwise: "If you didn't ask for this, you can ignore this message. Your password won't change.",
  }),
});

/** Tells whose an API key is, and who manages keys there, that it ends soon. */
export const endingKeyTemplate = builtIn({
  id: "00000000-0000-7000-8000-000000000003",
  name: "API key expires",
  subtype: "ending_key",
  variables: [line("name"), line("key"), line("environment"), ...common],
  subject: "The API key “{{ key }}” expires on {{ expires }}",
  body: page({
    heading: "An API key expires",
    paragraphs: [
      "Hello {{ name }},",
      "the API key “{{ key }}” of {{ organisation }} in {{ environment }} works until {{ expires }}. What uses it is refused from then on.",
    ],
    button: "View API key",
    until: "Rotate it to get a new one. You choose how long the old one keeps working.",
    otherwise: "You are receiving this because you own this key or manage API keys.",
  }),
});

const cell = "padding:7px 0;border-bottom:1px solid #e6e6e2;vertical-align:top";
/** Lines of what, how much, and how much before, cut by two bars and by one. */
const figureTable = `
        <table role="presentation" style="width:100%;border-collapse:collapse;margin:0 0 20px;font-size:15px">
          <tr><td style="${cell};color:#77776f;font-size:13px">{{ period }}</td><td style="${cell}"></td><td style="${cell};text-align:right;color:#77776f;font-size:13px">before</td></tr>
          {% assign lines = figures | split: "||" %}{% for line in lines %}{% assign cells = line | split: "|" %}
          <tr><td style="${cell}">{{ cells[0] }}</td><td style="${cell};text-align:right;font-weight:600;white-space:nowrap;padding-left:12px">{{ cells[1] }}</td><td style="${cell};text-align:right;color:#77776f;white-space:nowrap;padding-left:12px">{{ cells[2] }}</td></tr>{% endfor %}
        </table>`;

/** The main figures of a saved view, to members who asked for them. */
export const reportTemplate = builtIn({
  id: "00000000-0000-7000-8000-000000000004",
  name: "Report",
  subtype: "report",
  variables: [
    ...["name", "organisation", "view", "environment", "rhythm", "period", "zone", "figures"].map(line),
    { name: "link", type: "url", required: true },
    { name: "settings", type: "url", required: true },
  ],
  subject: "{{ view }}: {{ period }}",
  body: page({
    heading: "{{ view }}",
    paragraphs: ["{{ environment }}, {{ period }}, days in {{ zone }}."],
    table: figureTable,
    button: "Open the page",
    until: "The page may have changed since.",
    otherwise: `You are receiving this {{ rhythm }} as a member of {{ organisation }}. <a href="{{ settings }}" style="color:#77776f">Stop or change it</a>`,
  }),
});

/** Tells who sees the costs that a budget has reached a threshold. */
export const budgetTemplate = builtIn({
  id: "00000000-0000-7000-8000-000000000007",
  name: "Budget threshold",
  subtype: "budget",
  variables: [
    ...["name", "budget", "percent", "month", "organisation"].map(line),
    { name: "link", type: "url", required: true },
  ],
  subject: "The budget “{{ budget }}” has reached {{ percent }}%",
  body: page({
    heading: "A budget has reached {{ percent }}%",
    paragraphs: [
      "Hello {{ name }},",
      "{{ organisation }} has spent {{ percent }}% or more of the budget “{{ budget }}” for {{ month }}.",
    ],
    button: "View budget",
    until: "Messages are still sent.",
    otherwise: "You are receiving this because you have access to these costs.",
  }),
});

/** Tells who sees the reports that an objective is missed, or met again. */
export const objectiveTemplate = builtIn({
  id: "00000000-0000-7000-8000-000000000008",
  name: "Objective",
  subtype: "objective",
  variables: [
    ...["name", "what", "state", "told", "organisation"].map(line),
    { name: "link", type: "url", required: true },
  ],
  subject: "{{ organisation }}: {{ what }} {{ state }}",
  body: page({
    heading: "{{ what | capitalize }} {{ state }}",
    paragraphs: ["Hello {{ name }},", "{{ told }}"],
    button: "View objectives",
    until: "The page may have changed since.",
    otherwise: "You are receiving this because you have access to the reports of {{ organisation }}.",
  }),
});

/** No organisation can have it either. Unlike the others, its messages are shown like an organisation's own. */
const replyType = "_reply";
const replyVariables = [line("text"), line("connection"), line("from")].map((variable) => ({
  ...variable,
  required: false,
}));

/** A text that the service has put together, to a recipient who has just written. */
function reply(id: string, channel: "sms" | "whatsapp", name: string, subtype: string): BuiltInTemplate {
  const shared = { channel, variables: replyVariables };
  return {
    template: {
      ...shared,
      id,
      name,
      version: 1,
      notificationType: replyType,
      notificationSubtype: subtype,
      region: null,
      language: null,
      provider: null,
      disabled: false,
      sender: null,
    },
    content: { ...shared, subject: null, body: "{{ text }}", metadata: {}, compiledBody: null },
  };
}

const stopReplies = {
  sms: reply("00000000-0000-7000-8000-000000000011", "sms", "Confirmation of an opt-out", "opt_out"),
  whatsapp: reply(
    "00000000-0000-7000-8000-000000000012",
    "whatsapp",
    "Confirmation of an opt-out",
    "opt_out",
  ),
};
const otherReplies = {
  sms: reply("00000000-0000-7000-8000-000000000013", "sms", "Automatic reply", "automatic"),
  whatsapp: reply("00000000-0000-7000-8000-000000000014", "whatsapp", "Automatic reply", "automatic"),
};
/** No organisation can have it either; what asks a recipient whether they agree. */
const confirmationType = "_confirmation";
const asText = (id: string, channel: "sms" | "whatsapp"): BuiltInTemplate => {
  const { template, content } = reply(id, channel, "Question whether somebody agrees", "opt_in");
  return { template: { ...template, notificationType: confirmationType }, content };
};
const confirmationMail: BuiltInTemplate = (() => {
  const names = ["language", "direction", "organisation", "subject", "heading", "given", "button", "until"];
  const variables = [
    ...[...names, "otherwise", "link"].map((name) => ({ ...line(name), required: false })),
    ...brand,
  ];
  const { template, content } = builtIn({
    id: "00000000-0000-7000-8000-000000000021",
    name: "Question whether somebody agrees",
    subtype: "opt_in",
    variables: [],
    subject: "{{ subject }}",
    body: `<!doctype html>
<html lang="{{ language }}" dir="{{ direction }}">
  <body style="margin:0;background:#f4f4f2;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;color:#1d1d1b">
    <div style="max-width:520px;margin:0 auto;padding:32px 20px">
      <p style="margin:0 0 20px;font-weight:600;color:#5b5b57">${brandLine}</p>
      <div style="background:#ffffff;border-radius:10px;padding:28px;font-size:16px;line-height:1.5">
        <h1 style="margin:0 0 16px;font-size:22px;line-height:1.25">{{ heading }}</h1>
        <p style="margin:0 0 16px">{{ given }}</p>
        <p style="margin:0 0 16px"><a href="{{ link }}" style="display:inline-block;background:{{ accent | default: "#1d1d1b" }};color:{{ onAccent | default: "#ffffff" }};text-decoration:none;border-radius:8px;padding:11px 18px">{{ button }}</a></p>
        <p style="margin:0">{{ until }}</p>
      </div>
      <p style="margin:20px 0 0;font-size:13px;color:#77776f">{{ otherwise }}</p>
      <p style="margin:8px 0 0;font-size:13px;color:#77776f">{{ sender | default: organisation }}{% if support != blank %} · <a href="{{ supportLink }}" style="color:#77776f">{{ support }}</a>{% endif %}</p>
    </div>
  </body>
</html>`,
  });
  return {
    template: { ...template, notificationType: confirmationType, variables },
    content: { ...content, variables },
  };
})();
const confirmations = {
  email: confirmationMail,
  sms: asText("00000000-0000-7000-8000-000000000022", "sms"),
  whatsapp: asText("00000000-0000-7000-8000-000000000023", "whatsapp"),
};
const replies = [
  ...Object.values(stopReplies),
  ...Object.values(otherReplies),
  confirmations.sms,
  confirmations.whatsapp,
];
const passingIds = new Set(
  [...Object.values(stopReplies), ...Object.values(confirmations)].map(({ template }) => template.id),
);
const replyIds = new Set(replies.map(({ template }) => template.id));

/** What answers a recipient's no, or something else that they have written. */
export function replyTemplate(channel: "sms" | "whatsapp", toNo: boolean): LiveTemplate {
  return (toNo ? stopReplies : otherReplies)[channel].template;
}

/** What asks a recipient whether they agree. */
export function confirmationTemplate(channel: "email" | "sms" | "whatsapp"): LiveTemplate {
  return confirmations[channel].template;
}

/** Whether a message has a link by which its recipient agrees; the link is in no table. */
export function hasConfirmationLink(templateId: string | null): boolean {
  return templateId === confirmations.email.template.id;
}

/**
 * Whether a message is sent whatever its recipient has agreed to: the one that confirms an opt-out, though its recipient has just
 * opted out, and the one that asks whether they agree.
 */
export function passesConsent(templateId: string | null): boolean {
  return templateId !== null && passingIds.has(templateId);
}

/** Over which connection and from which number of ours an automatic reply goes: those that the recipient wrote to. */
export function replyPlace(message: {
  templateId: string | null;
  variables: Readonly<Record<string, string>>;
}): { connectionId: string; from: string } | null {
  const { connection, from } = message.variables;
  if (message.templateId === null || !replyIds.has(message.templateId) || !connection) return null;
  return { connectionId: connection, from: from ?? "" };
}

const byId = new Map(
  [
    invitationTemplate,
    passwordTemplate,
    endingKeyTemplate,
    reportTemplate,
    budgetTemplate,
    objectiveTemplate,
    confirmationMail,
    ...replies,
  ].map(({ template, content }) => [template.id, content]),
);

/** The content of a built-in template, as it is now; undefined for an id that is none. */
export function builtInContent(templateId: string): VersionContent | undefined {
  return byId.get(templateId);
}
