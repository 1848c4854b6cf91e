import type { Ctx } from "../kernel/ctx.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { mailBrand } from "../workspace/mail-brand.ts";
import { readBranding } from "../workspace/read-branding.ts";
import { findAsk } from "./confirmation-queries.ts";
import type { AskRow } from "./confirmation-queries.ts";
import { confirmationMail, confirmationWords } from "./confirmation-texts.ts";

/** A message that asks whether its recipient agrees. */
export interface ConfirmationMessage {
  ask: AskRow;
  application: Catalogue["applications"][number];
  variables: Record<string, string>;
}

/** What is to be sent, in the recipient's language; null: nothing any more. */
export async function readConfirmationMessage(ctx: Ctx, id: string): Promise<ConfirmationMessage | null> {
  const ask = await findAsk(ctx, id, ctx.now());
  if (ask?.state !== "pending" || !ask.sent) return null;
  const { tenant, applications } = await getCatalogue(ctx);
  const application = applications.find((each) => each.id === ask.applicationId);
  if (!application) return null;
  const language = ask.language ?? application.defaultLanguage;
  const of = { language, organisation: tenant.name };
  const variables =
    ask.channel === "email"
      ? {
          ...confirmationMail({ ...of, class: ask.class, until: ask.expiresAt }),
          ...mailBrand(await readBranding(ctx)),
        }
      : {
          text: confirmationWords("word", { ...of, classes: [ask.class] }),
          // On WhatsApp, within the conversation.
          ...(ask.connectionId === null ? {} : { connection: ask.connectionId, from: ask.ownAddress ?? "" }),
        };
  return { ask, application, variables };
}
