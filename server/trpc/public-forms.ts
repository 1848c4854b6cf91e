import { acceptInvitation } from "../access/accept-invitation.ts";
import { setPassword } from "../access/password-links.ts";
import { acceptInvitationSchema, forgotPasswordSchema, setPasswordSchema } from "../access/schemas.ts";
import { requestPasswordLink } from "../invitations/request-password-link.ts";
import { showInvitation } from "../invitations/show-invitation.ts";
import { sharedDb } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { setUpSchema } from "../onboarding/schemas.ts";
import { needsSetUp } from "../onboarding/set-up-token.ts";
import { setUp } from "../onboarding/set-up.ts";
import { takeForm } from "./take-form.ts";

/** The form of the set-up page. There is none once there is an organisation. */
export function handleSetUp(request: Request): Promise<Response> {
  const db = sharedDb("web");
  return takeForm(request, setUpSchema, async (input, { ip }) => {
    if (!(await needsSetUp(db))) throw notFound();
    return setUp(db, { ...input, ip });
  });
}

/** The form with which somebody who has a link chooses a password. */
export function handleSetPassword(request: Request): Promise<Response> {
  return takeForm(request, setPasswordSchema, (input, from) =>
    setPassword(sharedDb("web"), { ...input, ...from }),
  );
}

/** The form with which somebody asks for such a link. The answer is the same whether or not there is an account. */
export function handleForgotPassword(request: Request): Promise<Response> {
  return takeForm(request, forgotPasswordSchema, async (input, from) => {
    await requestPasswordLink(sharedDb("web"), { ...input, ...from });
    return { asked: true };
  });
}

/**
 * What the accept page asks: with a token alone what the invitation is for; with `accept` to become a member. The page signs in
 * like everybody afterwards.
 */
export function handleInvitation(request: Request): Promise<Response> {
  return takeForm(request, acceptInvitationSchema, ({ token, accept }, from) => {
    const db = sharedDb("web");
    if (!accept) return showInvitation(db, { token, requestId: from.requestId });
    return acceptInvitation(db, { token, ...accept, ...from });
  });
}

/** For pages: whether there is no organisation yet. */
export function isEmptyInstallation(): Promise<boolean> {
  return needsSetUp(sharedDb("web"));
}
