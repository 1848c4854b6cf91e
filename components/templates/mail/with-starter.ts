import type { Draft } from "../draft.ts";
import type { MailStarter } from "./starters.ts";

/** The draft with a starter's texts; what somebody has written already, or declared, stays. */
export function withStarter(draft: Draft, starter: MailStarter): Partial<Draft> {
  const declared = new Set(draft.variables.map(({ name }) => name.trim()));
  const { preheader } = draft.metadata;
  return {
    subject: draft.subject.trim() === "" ? starter.subject : draft.subject,
    body: starter.body,
    metadata: {
      ...draft.metadata,
      format: "mjml",
      preheader: typeof preheader === "string" && preheader !== "" ? preheader : starter.preheader,
    },
    variables: [...draft.variables, ...starter.variables.filter(({ name }) => !declared.has(name))],
  };
}
