import type { AdapterName } from "../../adapters/schemas.ts";
import type { Contract } from "./contract.ts";
import { infobipContract } from "./infobip.ts";
import { metaContract } from "./meta.ts";
import { microsoft365Contract } from "./microsoft365.ts";
import { resendContract } from "./resend.ts";
import { sendgridContract } from "./sendgrid.ts";
import { sesContract } from "./ses.ts";
import { twilioContract } from "./twilio.ts";
import { vonageContract } from "./vonage.ts";

/** Of every provider whose API has a fixed shape. */
export const contracts: Partial<Record<AdapterName, Contract>> = {
  twilio: twilioContract,
  vonage: vonageContract,
  infobip: infobipContract,
  meta: metaContract,
  sendgrid: sendgridContract,
  resend: resendContract,
  ses: sesContract,
  microsoft365: microsoft365Contract,
};
