import { weekdaysFromMonday } from "./vocabulary.ts";
import type { LimitsPack, QuietRule } from "./schemas.ts";

const marketingSms = (
  pack: Pick<LimitsPack, "id" | "version">,
  rule: Pick<QuietRule, "regions" | "from" | "to"> & Partial<QuietRule>,
): QuietRule => ({
  classes: ["marketing"],
  channels: ["sms"],
  days: [...weekdaysFromMonday],
  pack: { id: pack.id, version: pack.version },
  ...rule,
});

const us = { id: "us-federal", version: "2026-11" };
const usStates = { id: "us-states", version: "2026-11" };
const fr = { id: "fr", version: "2026-11" };
const india = { id: "in", version: "2026-11" };

/**
 * Rules that may hold somewhere, as their sources had them on a day. An organisation that reviews one copies it: what changes here
 * changes nothing there.
 */
export const packs: readonly LimitsPack[] = [
  {
    ...us,
    name: "United States, federal rule",
    asOf: "2026-11-23",
    text: "The federal rule on telephone solicitation allows none before 8 a.m. or after 9 p.m. where the called party is; providers apply it to marketing by SMS. Some states are stricter.",
    sources: [
      "http://edocket.access.gpo.gov/cfr_2003/octqtr/47cfr64.1200.htm",
      "https://twilio.com/docs/api/errors/30610",
    ],
    quietHours: [marketingSms(us, { regions: ["US"], from: "21:00", to: "08:00" })],
  },
  {
    ...usStates,
    name: "United States, with Florida's rule for all",
    asOf: "2026-11-23",
    text: "Florida allows commercial solicitation by telephone between 8 a.m. and 8 p.m. only. A number does not say which state somebody is in, so this keeps to it everywhere in the United States. Other states have rules of their own, for Sundays and holidays among others.",
    sources: ["https://flsenate.gov/Session/Bill/2021/1120/BillText/er/HTML"],
    quietHours: [marketingSms(usStates, { regions: ["US"], from: "20:00", to: "08:00" })],
  },
  {
    ...fr,
    name: "France",
    asOf: "2026-11-23",
    text: "Operators carry no marketing by SMS at night, on Sundays and on public holidays. Providers name different hours: quiet from 8 p.m., 8:30 p.m. or 10 p.m., until 8 or 8:30 a.m. This takes the longest. Public holidays are not in it.",
    sources: [
      "https://developers.brevo.com/reference/sendtransacsms",
      "https://ops.esendex.fr/?p=5396",
      "https://github.com/element-hq/element-web/issues/7672",
    ],
    quietHours: [
      marketingSms(fr, { regions: ["FR"], from: "20:00", to: "08:30" }),
      marketingSms(fr, { regions: ["FR"], days: ["sun"], from: "00:00", to: "24:00" }),
    ],
  },
  {
    ...india,
    name: "India",
    asOf: "2026-11-23",
    text: "Under the rules of the regulator TRAI operators deliver marketing by SMS between 9 a.m. and 9 p.m. only.",
    sources: [
      "https://docs.satisfilabs.com/resource-center/marketing-engine/campaigns/messaging-campaigns/sms-regulations/sms-regulations-for-india",
    ],
    quietHours: [marketingSms(india, { regions: ["IN"], from: "21:00", to: "09:00" })],
  },
];
