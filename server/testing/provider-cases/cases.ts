import { infobipCallbacks, infobipOutgoing } from "./infobip.ts";
import { metaCallbacks, metaOutgoing } from "./meta.ts";
import { microsoft365Outgoing } from "./microsoft365.ts";
import type { CallbackCases } from "./callbacks.ts";
import type { OutgoingCases } from "./outgoing.ts";
import { resendCallbacks, resendOutgoing } from "./resend.ts";
import { sendgridCallbacks, sendgridOutgoing } from "./sendgrid.ts";
import { sesCallbacks, sesOutgoing } from "./ses.ts";
import { twilioCallbacks, twilioOutgoing } from "./twilio.ts";
import { vonageCallbacks, vonageOutgoing } from "./vonage.ts";

export { NOW } from "./answers.ts";

export const outgoingCases: OutgoingCases[] = [
  twilioOutgoing,
  vonageOutgoing,
  infobipOutgoing,
  metaOutgoing,
  sendgridOutgoing,
  resendOutgoing,
  sesOutgoing,
  microsoft365Outgoing,
];

export const callbackCases: CallbackCases[] = [
  twilioCallbacks,
  vonageCallbacks,
  infobipCallbacks,
  metaCallbacks,
  sendgridCallbacks,
  resendCallbacks,
  sesCallbacks,
];
