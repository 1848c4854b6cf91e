import { ledgerOf } from "../consent/ledger-place.ts";
import { suppressionLimits } from "../consent/vocabulary.ts";
import type { SuppressionReason } from "../consent/schemas.ts";
import { softBounceDays } from "../consent/soft-bounces.ts";
import { recordImportedSuppressions } from "../consent/suppress-address.ts";
import type { Suppress } from "../consent/suppress-address.ts";
import { authorize } from "../operations/authorize.ts";
import { consentKind } from "./consent-kind.ts";
import type { CellProblem, ImportKind } from "./kinds.ts";
import { channelNames, lastTime, readRecipient, readTime } from "./read-cells.ts";

const day = 86_400_000;
const dateAlone = /^[\d-]{10}$|^[\d.]{8,10}$/;

const complaintBit = 0x8000;
const noEnd = 0x7fff;

/** As exports of this and of other services call them. */
const reasons = new Map<string, SuppressionReason>([
  ["hard_bounce", "hard_bounce"],
  ["hard bounce", "hard_bounce"],
  ["hardbounce", "hard_bounce"],
  ["hard-bounce", "hard_bounce"],
  ["bounce", "hard_bounce"],
  ["bounced", "hard_bounce"],
  ["invalid", "hard_bounce"],
  ["complaint", "complaint"],
  ["spam complaint", "complaint"],
  ["spamcomplaint", "complaint"],
  ["spam report", "complaint"],
  ["spam", "complaint"],
  ["soft_bounces", "soft_bounces"],
  ["soft bounces", "soft_bounces"],
  ["soft_bounce", "soft_bounces"],
  ["soft bounce", "soft_bounces"],
  ["softbounce", "soft_bounces"],
  ["soft-bounce", "soft_bounces"],
  ["manual", "manual"],
  ["by hand", "manual"],
  ["manualsuppression", "manual"],
]);

/** Addresses that nothing is sent to. */
export const suppressionsKind: ImportKind<Suppress> = {
  permission: "consent:write",
  authorize: async (ctx, environmentId) => {
    const { sandbox } = await ledgerOf(ctx, "consent:write", environmentId);
    // The addresses of a whole file are of every team.
    authorize(ctx, "consent:write", { environmentId });
    return { sandbox };
  },
  mayEndEarly: false,
  names: {
    address: consentKind.names.address ?? [],
    channel: consentKind.names.channel ?? [],
    reason: ["reason", "cause", "type", "suppressionreason", "grund", "motivo", "motif", "raison"],
    expiresAt: ["expires", "expiry", "until", "end", "enddate", "bis", "ablauf", "hasta", "jusqua", "fino"],
    note: ["note", "comment", "notiz", "bemerkung", "kommentar", "nota", "commentaire"],
  },
  complain: ({ columns, constants }) => {
    if (!columns.includes("address")) return "Assign the column with the address.";
    if (!columns.includes("channel") && constants.channel === undefined)
      return "Assign the column with the channel, or choose one for every row.";
    if (constants.channel !== undefined && !channelNames.has(constants.channel)) return "Unknown channel.";
    if (constants.reason !== undefined && !reasons.has(constants.reason)) return "Unknown reason.";
    return null;
  },
  read: (cells, { constants, now }) => {
    const problems: CellProblem[] = [];
    const problem = (target: string, code: string, detail: string) => {
      problems.push({ target, code, detail });
    };
    const { channel, address } = readRecipient(cells, constants, problems);

    const reasonText = cells.get("reason")?.[0]?.text ?? constants.reason ?? "manual";
    const reason = reasons.get(reasonText.toLowerCase());
    if (!reason) {
      problem(
        "reason",
        "invalid_reason",
        "Write hard_bounce, complaint, soft_bounces or manual. Who unsubscribed is imported as consent.",
      );
    }

    const end = cells.get("expiresAt")?.[0]?.text;
    const readEnd = end === undefined ? undefined : readTime(end);
    if (readEnd === null)
      problem("expiresAt", "invalid_time", "Write a date such as 2027-03-31, with a time if there is one.");
    // Until a day is until it has passed.
    const expiresAt =
      readEnd && end !== undefined && dateAlone.test(end)
        ? new Date(Math.min(readEnd.getTime() + day, lastTime))
        : readEnd;
    if (expiresAt && expiresAt <= now) problem("expiresAt", "invalid_end", "It has already ended.");

    const note = cells.get("note")?.[0]?.text;
    if (note !== undefined && note.length > suppressionLimits.note)
      problem("note", "too_long", `A note has up to ${String(suppressionLimits.note)} characters.`);

    if (problems.length > 0 || !channel || address === null || !reason) return problems;
    return {
      channel,
      address,
      reason,
      expiresAt:
        expiresAt ?? (reason === "soft_bounces" ? new Date(now.getTime() + softBounceDays * day) : null),
      ...(note === undefined ? {} : { note }),
    };
  },
  // A complaint in the first bit, and the day until which it holds in the others.
  mark: ({ channel, address, reason, expiresAt }) => ({
    names: [`${channel} ${address}`],
    says:
      (reason === "complaint" ? complaintBit : 0) |
      (expiresAt ? Math.min(Math.max(Math.ceil(expiresAt.getTime() / day), 1), noEnd - 1) : noEnd),
  }),
  after: (said, says) => {
    const both = ((said | says) & complaintBit) | Math.max(said & noEnd, says & noEnd);
    return { outcome: both === said ? "unchanged" : "updated", says: both };
  },
  write: (ctx, tx, { sandbox, dry, rows }) => recordImportedSuppressions(ctx, tx, { sandbox, dry, rows }),
};
