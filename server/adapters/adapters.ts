/** Every provider that this service can speak to, by name. */
import type { Adapter } from "./adapter.ts";
import { boundedAdapter } from "./bounded-adapter.ts";
import { httpAdapter } from "./http/http.ts";
import { infobipAdapter } from "./infobip/infobip.ts";
import { metaAdapter } from "./meta/meta.ts";
import { microsoft365Adapter } from "./microsoft365/microsoft365.ts";
import { resendAdapter } from "./resend/resend.ts";
import type { AdapterName } from "./schemas.ts";
import { sendgridAdapter } from "./sendgrid/sendgrid.ts";
import { sesAdapter } from "./ses/ses.ts";
import { simulatorAdapter } from "./simulator/simulator.ts";
import { smppAdapter } from "./smpp/smpp.ts";
import { smtpAdapter } from "./smtp/smtp.ts";
import { twilioAdapter } from "./twilio/twilio.ts";
import { vonageAdapter } from "./vonage/vonage.ts";

const OWN: Partial<Record<AdapterName, Adapter>> = {
  // Method parameters are contravariant: an adapter takes its own configuration, and findAdapter's
  // callers give it what its own schemas parsed.
  smtp: smtpAdapter as unknown as Adapter,
  smpp: smppAdapter as unknown as Adapter,
  sendgrid: sendgridAdapter as unknown as Adapter,
  resend: resendAdapter as unknown as Adapter,
  ses: sesAdapter as unknown as Adapter,
  microsoft365: microsoft365Adapter as unknown as Adapter,
  twilio: twilioAdapter as unknown as Adapter,
  vonage: vonageAdapter as unknown as Adapter,
  infobip: infobipAdapter as unknown as Adapter,
  meta: metaAdapter as unknown as Adapter,
  http: httpAdapter as unknown as Adapter,
  simulator: simulatorAdapter as unknown as Adapter,
};
const ADAPTERS: Partial<Record<AdapterName, Adapter>> = Object.fromEntries(
  Object.entries(OWN).map(([name, adapter]) => [name, boundedAdapter(adapter)]),
);

/** The adapter by name, undefined for one that this version does not have. Parse what it is given with its schemas. */
export function findAdapter(name: string): Adapter | undefined {
  return Object.hasOwn(ADAPTERS, name) ? ADAPTERS[name as AdapterName] : undefined;
}

/** All of them, by label. */
export function allAdapters(): Adapter[] {
  return Object.values(ADAPTERS).toSorted((a, b) => a.label.localeCompare(b.label, "en"));
}

/** Names of the adapters that are asked for prices later. */
export function adaptersWithListedPrices(): AdapterName[] {
  return Object.values(ADAPTERS).flatMap((adapter) => (adapter.listPrices ? [adapter.name] : []));
}

/** Ends the connections that adapters keep open; for shutdown. */
export async function closeAdapters(): Promise<void> {
  for (const adapter of Object.values(ADAPTERS)) await adapter.close?.();
}
