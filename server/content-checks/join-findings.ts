import { atMost100 } from "./checks.ts";
import type { CheckedText } from "./checks.ts";
import type { Finding, ModerationResult } from "./schemas.ts";

/**
 * Findings of the checks and the service, in the order of their positions. Repetitions by the service are left out,
 * unless they are more severe: findings at positions of the checks, at the very same position, or about a text as a
 * whole in which the same is marked already.
 */
export function joined(
  texts: readonly CheckedText[],
  checks: ModerationResult,
  judgement: ModerationResult,
): ModerationResult {
  let kept: Finding[] = [...checks.findings];
  const lengths = new Map(texts.map(({ pointer, text }) => [pointer, text.length]));
  for (const finding of judgement.findings) {
    const isWhole = finding.start === 0 && finding.end === lengths.get(finding.pointer);
    const samePlace = (other: Finding) => other.start === finding.start && other.end === finding.end;
    const overlaps = (other: Finding) => other.start < finding.end && finding.start < other.end;
    const alike = kept.filter(
      (other) =>
        other.category === finding.category &&
        other.pointer === finding.pointer &&
        (isWhole || checks.findings.includes(other) ? overlaps(other) : samePlace(other)),
    );
    if (alike.some(({ severity }) => severity === "block" || finding.severity === "warn")) continue;
    kept = kept.filter((other) => !(alike.includes(other) && samePlace(other)));
    kept.push(finding);
  }
  const order = [...lengths.keys()];
  const rank = ({ pointer }: Finding) => order.indexOf(pointer);
  return {
    checkedBy: [...checks.checkedBy, ...judgement.checkedBy],
    findings: atMost100(kept.sort((a, b) => rank(a) - rank(b) || a.start - b.start || a.end - b.end)),
  };
}
