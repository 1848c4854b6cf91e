import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { checkTexts } from "./checks.ts";
import type { CheckedText } from "./checks.ts";
import type { ModerationResult } from "./schemas.ts";

/** What a text is for; the policy check is told. */
export interface ModerationSubject {
  channel: "sms" | "email" | "whatsapp";
  application: string;
  notificationType: string;
  language: string | null;
  templateId?: string | undefined;
}

/** What is known of a template's texts before they are saved; the result is kept with the version. */
export async function moderateTexts(
  _ctx: Ctx,
  texts: readonly CheckedText[],
  _about: ModerationSubject,
): Promise<ModerationResult> {
  return Promise.resolve({ checkedBy: ["deterministic"], findings: checkTexts(texts) });
}

/** Throws `moderation_blocked` with all findings when one of them blocks. */
export function refuseBlocked(result: ModerationResult): void {
  const blocking = result.findings.filter((finding) => finding.severity === "block");
  const [first] = blocking;
  if (!first) return;
  throw new DomainError(
    "moderation_blocked",
    `${first.explanation} Found in ${first.pointer}: ${first.excerpt}`,
    {
      errors: blocking.slice(0, 50).map((finding) => ({
        pointer: finding.pointer,
        code: finding.category,
        detail: `${finding.explanation} (characters ${String(finding.start)} to ${String(finding.end)})`,
      })),
      extra: { findings: result.findings },
    },
  );
}
