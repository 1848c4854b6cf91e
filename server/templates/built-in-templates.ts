import type { VersionContent } from "../template-language/render.ts";
import type { VariableDeclaration } from "../template-language/variables.ts";
import type { LiveTemplate } from "./queries.ts";

/*
 * What the service itself sends to the people of an organisation. The texts are part of the product and in no table, so nobody
 * who may write templates can change what stands around a link that opens an account.
 */

/** No organisation can have a type of this name: theirs begin with a letter. */
const builtInType = "_access";

/** Whether a message was written by the service itself. Nobody is shown its text or address, whatever they may reveal. */
export function isBuiltIn({ notificationType }: { notificationType: string }): boolean {
  return notificationType === builtInType;
}

interface BuiltInTemplate {
  template: LiveTemplate;
  content: VersionContent;
}

const line = (name: string): VariableDeclaration => ({ name, type: "string", required: true });
const invitationVariables: VariableDeclaration[] = [
  line("name"),
  line("inviter"),
  line("organisation"),
  { name: "link", type: "url", required: true },
  line("expires"),
];

/** Asks somebody to become a member. */
export const invitationTemplate: BuiltInTemplate = {
  template: {
    id: "00000000-0000-7000-8000-000000000001",
    name: "Invitation",
    version: 1,
    channel: "email",
    notificationType: builtInType,
    notificationSubtype: "invitation",
    region: null,
    language: null,
    provider: null,
    disabled: false,
    variables: invitationVariables,
    sender: null,
  },
  content: {
    channel: "email",
    subject: "{{ inviter }} invites you to {{ organisation }} on Tidings",
    body: `<!doctype html>
<html lang="en">
  <body style="margin:0;background:#f4f4f2;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;color:#1d1d1b">
    <div style="max-width:520px;margin:0 auto;padding:32px 20px">
      <p style="margin:0 0 20px;font-weight:600;color:#5b5b57">{{ organisation }}</p>
      <div style="background:#ffffff;border-radius:10px;padding:28px;font-size:16px;line-height:1.5">
        <h1 style="margin:0 0 16px;font-size:22px;line-height:1.25">Join {{ organisation }}</h1>
        <p style="margin:0 0 16px">Hello {{ name }},</p>
        <p style="margin:0 0 16px">{{ inviter }} invites you to the portal in which {{ organisation }} sends and follows its messages.</p>
        <p style="margin:0 0 16px"><a href="{{ link }}" style="display:inline-block;background:#1d1d1b;color:#ffffff;text-decoration:none;border-radius:8px;padding:11px 18px">Accept the invitation</a></p>
        <p style="margin:0">The link works once, until {{ expires }}.</p>
      </div>
      <p style="margin:20px 0 0;font-size:13px;color:#77776f">If you do not know {{ inviter }}, leave this message alone. Nothing happens then.</p>
    </div>
  </body>
</html>`,
    metadata: {},
    variables: invitationVariables,
    compiledBody: null,
  },
};
const byId = new Map([[invitationTemplate.template.id, invitationTemplate.content]]);

/** The content of a built-in template, as it is now; undefined for an id that is none. */
export function builtInContent(templateId: string): VersionContent | undefined {
  return byId.get(templateId);
}
