import type { Ctx } from "../kernel/ctx.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";
import { readBranding } from "../workspace/read-branding.ts";
import { addressToken, consentKey } from "./address-token.ts";
import { confirmationWords } from "./confirmation-texts.ts";
import { consentPolicy, isAllowed } from "./consent-policy.ts";
import { selectReply } from "./queries.ts";
import type { NewReply } from "./queries.ts";
import { replyText } from "./reply-texts.ts";
import { standingOf } from "./standing.ts";

/** After this a reply is none any more, ms. */
const answeredWithin = 5 * 60_000;
const classes = ["marketing", "transactional", "service", "authentication"] as const;

/** An automatic reply that is to be sent. */
export interface WordReply extends NewReply {
  text: string;
  expiresAt: Date;
}

/**
 * A reply that is owed, in the words of its recipient's language: class by class what does not come any more, and what still does.
 * Null: nothing is to be sent.
 */
export async function readWordReply(ctx: Ctx, id: string): Promise<WordReply | null> {
  const reply = await selectReply(ctx, id);
  if (!reply) return null;
  const expiresAt = new Date(reply.createdAt.getTime() + answeredWithin);
  if (expiresAt <= ctx.now()) return null;
  const { tenant, applications } = await getCatalogue(ctx);
  const application = applications.find((each) => each.id === reply.applicationId);
  const { kind, sandbox, channel, address } = reply;
  // Thanks for a yes are switched with the answer to START, whose text says something else.
  const { enabled, text: own } = tenant.settings.wordReplies[kind === "confirmed" ? "start" : kind];
  if (!application || !enabled) return null;
  const region = reply.region ?? application.defaultRegion;
  const key = await consentKey(ctx);
  const addresses = [address, key ? addressToken(key, channel, address) : address] as const;
  const standings = await standingOf(
    ctx,
    classes.map((name) => ({ sandbox, channel, addresses, region, class: name })),
  );
  const gets = (name: NotificationClass) =>
    isAllowed(
      consentPolicy(tenant.settings, { class: name, channel, region }),
      standings[classes.indexOf(name)]?.consent ?? null,
    );
  const language = reply.language ?? application.defaultLanguage;
  const named = classes.filter((name) => reply.classes.includes(name));
  const text =
    kind === "confirmed"
      ? confirmationWords("wordDone", { language, organisation: tenant.name, classes: named })
      : replyText({
          kind,
          language,
          organisation: tenant.name,
          support: (await readBranding(ctx)).support,
          own,
          named,
          // Offers are nothing that a confirmation praises.
          kept: classes.filter((name) => name !== "marketing" && !reply.classes.includes(name) && gets(name)),
        });
  return { ...reply, language, region, text, expiresAt };
}
