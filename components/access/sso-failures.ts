import type { RefusalReason } from "../../server/sso/schemas.ts";

/** What the sign-in page says when a sign-in through an identity provider came to nothing. */
export const ssoFailures: Record<RefusalReason, { title: string; detail: string }> = {
  sso_another_identity: {
    title: "Your account belongs to another identity there",
    detail:
      "Your identity provider vouches for somebody else with your e-mail address. Ask an administrator of your organisation: once they have removed and invited you again, you can sign in.",
  },
  sso_busy: {
    title: "Too many people sign in at this moment",
    detail: "Try again in a moment.",
  },
  sso_domain: {
    title: "This address cannot be used here",
    detail: "Its domain is none that the organisation has verified. Sign in there with your work address.",
  },
  sso_expired: {
    title: "Please start again",
    detail: "The sign-in took too long, was finished already, or was started in another window or browser.",
  },
  sso_failed: {
    title: "Signing in through your identity provider did not work",
    detail: "It sent something that cannot be accepted. Try again; if it stays so, ask an administrator.",
  },
  sso_groups_missing: {
    title: "Your identity provider left out your groups",
    detail:
      "You are in more groups than it sends. An administrator can limit it to the groups that are assigned to this application.",
  },
  sso_no_member: {
    title: "You are not a member yet",
    detail:
      "Your identity provider knows you, but the organisation does not. Ask an administrator to invite you.",
  },
  sso_stopped: {
    title: "The sign-in was stopped",
    detail: "Your identity provider did not let you in, or you went back. Try again.",
  },
  sso_suspended: {
    title: "Your account is suspended",
    detail: "Ask an administrator of your organisation.",
  },
  sso_unreachable: {
    title: "Your identity provider does not answer",
    detail: "Try again in a moment. An administrator can test the connection in the settings.",
  },
  sso_unverified: {
    title: "Your address is not verified",
    detail: "Your identity provider does not say that your e-mail address is verified. Ask an administrator.",
  },
};
