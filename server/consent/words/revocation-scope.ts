/** What a no or a yes by word covers. Pure. */
import type { NotificationClass } from "../../tenancy/schemas.ts";

/**
 * Where a no to one message is a no to all, from that day. United States: the last part of 47 CFR § 64.1200(a)(10) to come into force,
 * put off to this date by the FCC's Consumer and Governmental Affairs Bureau on 6 January 2026; the words themselves count
 * since 11 April 2025.
 */
const noToAll: readonly { region: string; from: string }[] = [{ region: "US", from: "2027-01-31" }];

const allButAuthentication: readonly NotificationClass[] = ["transactional", "service", "marketing"];

/** The message of ours that is answered. */
export interface Answered {
  class: NotificationClass;
  region: string;
}

/**
 * The classes that a no covers: that of the message it answers and marketing, which nobody wants who says no. All but
 * authentication when it is not known what is answered, when the recipient says so, and where the law says so.
 */
export function classesOfNo(
  answered: Answered | null,
  { all, at }: { all: boolean; at: Date },
): readonly NotificationClass[] {
  if (!answered || all) return allButAuthentication;
  const day = at.toISOString().slice(0, 10);
  const forAll = noToAll.some(({ region, from }) => region === answered.region && day >= from);
  return [
    ...new Set<NotificationClass>(
      forAll ? [...allButAuthentication, answered.class] : [answered.class, "marketing"],
    ),
  ];
}

/**
 * The classes that a yes covers: as for a no, but marketing only in answer to marketing or from somebody who had agreed to it
 * before they said no by word: asking for order messages again is no consent to advertising.
 */
export function classesOfYes(
  answered: Answered | null,
  { agreedBefore }: { agreedBefore: boolean },
): readonly NotificationClass[] {
  const classes = new Set<NotificationClass>(answered ? [answered.class] : ["transactional", "service"]);
  if (agreedBefore) classes.add("marketing");
  return [...classes];
}
