import type { RefusalReason } from "../../server/sso/schemas.ts";

/** What the sign-in page says when a sign-in through an identity provider came to nothing. */
export const ssoFailures: Record<RefusalReason, { title: string; detail: string }> = {
  sso_another_identity: {
    title: "Your account is linked to another identity",
    detail:
      "Your identity provider reports a different person with your e-mail address. Ask an administrator to remove you and invite you again.",
  },
  sso_busy: {
    title: "Too many people are signing in",
    detail: "Try again in a moment.",
  },
  sso_domain: {
    title: "This address can't be used here",
    detail: "Your organisation hasn't verified its domain. Sign in with your work address.",
  },
  sso_expired: {
    title: "Please start again",
    detail:
      "The sign-in took too long, was already completed, was started in another window or browser, or your sessions were ended in the meantime.",
  },
  sso_failed: {
    title: "Sign-in through your identity provider failed",
    detail: "Its answer was not valid. Try again, or ask an administrator.",
  },
  sso_groups_missing: {
    title: "Your identity provider didn't send your groups",
    detail:
      "You are in too many groups. An administrator can limit them to the groups assigned to this application.",
  },
  sso_no_member: {
    title: "You are not a member yet",
    detail: "Ask an administrator of the organisation to invite you.",
  },
  sso_stopped: {
    title: "Sign-in canceled",
    detail: "Your identity provider refused the sign-in, or you went back. Try again.",
  },
  sso_suspended: {
    title: "Your account is suspended",
    detail: "Ask an administrator of your organisation.",
  },
  sso_unreachable: {
    title: "Your identity provider is not responding",
    detail: "Try again in a moment. An administrator can test the connection in the settings.",
  },
  sso_unverified: {
    title: "Your address is not verified",
    detail: "Your identity provider hasn't verified your e-mail address. Ask an administrator.",
  },
};
