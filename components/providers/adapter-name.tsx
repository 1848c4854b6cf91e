const names: Record<string, string> = {
  smtp: "SMTP",
  sendgrid: "SendGrid",
  ses: "Amazon SES",
  resend: "Resend",
  microsoft365: "Microsoft 365",
  twilio: "Twilio",
  vonage: "Vonage",
  infobip: "Infobip",
  meta: "Meta (WhatsApp)",
  smpp: "SMPP",
  http: "HTTP",
  simulator: "Simulator",
};

/** The product name of an adapter. */
export function AdapterName({ adapter }: { adapter: string }) {
  return <>{names[adapter] ?? adapter}</>;
}
