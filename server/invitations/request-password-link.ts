import PQueue from "p-queue";
import { offerPasswordLink } from "../access/password-links.ts";
import { readAccount } from "../access/read-account.ts";
import type { ForgotPasswordInput } from "../access/schemas.ts";
import { countSignIn } from "../access/sign-in-limits.ts";
import { callerGroup } from "../kernel/client-address.ts";
import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { logger } from "../kernel/log.ts";
import { passwordTemplate } from "../templates/built-in-templates.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { readableTime, sendLink } from "./send-link.ts";

/** Links that are made at once; more wait, and the rest of a flood is dropped. */
const queue = new PQueue({ concurrency: 2 });
const maxWaiting = 200;

type Request = ForgotPasswordInput & { ip: string | null; requestId: string };

/**
 * Mails a link with which somebody chooses a new password, if there is such an account. Returns before anything is known of it,
 * so that the answer takes as long either way; what becomes of it is in the audit trail and the log. Throws `sign_in_slowed`
 * after too many requests from one address, at most a minute; requests from elsewhere slow nobody down.
 */
export async function requestPasswordLink(db: Db, input: Request): Promise<void> {
  const { organisation, email } = readAccount(input);
  const address = input.ip === null ? "unknown" : callerGroup(input.ip);
  await countSignIn(db, {
    source: `forgotten password ${organisation ?? ""} ${email} ${address}`,
    account: null,
    address: `forgotten password ${address}`,
    site: null,
  });
  if (queue.size >= maxWaiting) {
    logger().warn({ requestId: input.requestId }, "too many links for passwords were asked for at once");
    return;
  }
  void queue.add(() => mailPasswordLink(db, input));
}

/** For tests: resolves when nothing is under way any more. */
export const passwordLinksSent = (): Promise<void> => queue.onIdle();

/** Never throws: nobody waits for it. */
async function mailPasswordLink(db: Db, input: Request): Promise<void> {
  try {
    const offered = await offerPasswordLink(db, input);
    if (!offered) return;
    const { ctx, token, expiresAt, name, email, unitId } = offered;
    const { tenant } = await getCatalogue(ctx);
    const delivery = await sendLink(ctx, {
      template: passwordTemplate,
      email,
      unitId,
      expiresAt,
      variables: {
        name,
        organisation: tenant.name,
        // After the sign: it stands in no log, and who fetches links to look at them uses none up.
        link: `${env().publicUrl}/set-password#${token}`,
        expires: readableTime(expiresAt),
      },
    });
    if (delivery.by === "nobody") {
      const { why, detail } = delivery;
      ctx.log.warn({ tenantId: ctx.tenantId, why, detail }, "a link for a new password could not be mailed");
    }
  } catch (error) {
    logger().error({ err: error, requestId: input.requestId }, "a link for a new password was not made");
  }
}
