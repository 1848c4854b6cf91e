/** Where a provider's mails come from, as DNS has to say it. */
export interface MailFacts {
  /**
   * The domain of the envelope sender, of which mailboxes ask SPF: the sender's own, a name below it, or one that only the account
   * at the provider shows.
   */
  envelope: { at: "sender" } | { at: "below"; label: string } | { at: "unknown"; why: string };
  /** What an SPF record there has to include; null: it depends on the server. */
  include: string | null;
  /** Under which the public keys stand, any one of them; null: they are different for each account. */
  selectors: readonly string[] | null;
  /** Where an account shows the records. */
  where: string;
}

/** From each provider's documentation; the simulator sends nothing. */
export const mailFacts: Readonly<Record<string, MailFacts>> = {
  microsoft365: {
    envelope: { at: "sender" },
    include: "spf.protection.outlook.com",
    selectors: ["selector1", "selector2"],
    where: "Microsoft Defender, Email authentication settings",
  },
  resend: {
    envelope: { at: "below", label: "send" },
    include: "amazonses.com",
    selectors: ["resend"],
    where: "the page of the domain at Resend",
  },
  sendgrid: {
    envelope: {
      at: "unknown",
      why: "SendGrid sends from a name below the domain that it chooses for each account",
    },
    include: "sendgrid.net",
    selectors: ["s1", "s2"],
    where: "Settings, Sender Authentication at SendGrid",
  },
  ses: {
    envelope: {
      at: "unknown",
      why: "Amazon SES sends from amazonses.com unless the identity has a MAIL FROM domain of its own",
    },
    include: "amazonses.com",
    selectors: null,
    where: "the identity's page in Amazon SES",
  },
  smtp: {
    envelope: { at: "sender" },
    include: null,
    selectors: null,
    where: "your mail server",
  },
};
