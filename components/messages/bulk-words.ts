import type { Canceled, Resent } from "../../server/sending/schemas.ts";
import { plural } from "../ui/format.ts";

const count = <Outcome extends string>(results: readonly { outcome: Outcome }[], outcome: Outcome) =>
  results.filter((each) => each.outcome === outcome).length;

/** The parts that there are, as one sentence. */
const sentence = (parts: readonly (string | false)[]) => `${parts.filter(Boolean).join(", ")}.`;

/** What became of messages that were to be canceled, e.g. "12 messages canceled, 3 could no longer be canceled." */
export function canceledText(results: readonly Pick<Canceled, "outcome">[]): string {
  const [canceled, late, missing] = [
    count(results, "canceled"),
    count(results, "too_late"),
    count(results, "not_found"),
  ];
  return sentence([
    `${plural(canceled, "message")} canceled`,
    late > 0 && `${String(late)} could no longer be canceled`,
    missing > 0 && `${String(missing)} can’t be canceled by you`,
  ]);
}

/** What became of messages that were to be sent again. */
export function resentText(results: readonly Pick<Resent, "outcome">[]): string {
  const [resent, already, refused] = [
    count(results, "resent"),
    count(results, "already_resent"),
    count(results, "refused") + count(results, "not_found"),
  ];
  return sentence([
    `${plural(resent, "message")} sent again`,
    already > 0 && `${String(already)} had been sent again already`,
    refused > 0 && `${String(refused)} could not be sent again`,
  ]);
}
