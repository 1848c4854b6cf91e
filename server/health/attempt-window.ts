import { breakerRules, slowRules } from "./health-rules.ts";
import type { Verdict } from "./classify-outcome.ts";

/** A call that came to its end; times in ms since the epoch. */
export interface ObservedCall {
  startedAt: number;
  endedAt: number;
  verdict: Verdict;
  code: string;
  detail: string;
  slow: boolean;
  /** What has failed it, when that has failed others too; see SendOutcome. */
  cause?: string | undefined;
}

/** What is kept of a call: a process may watch many connections. */
type RememberedCall = Pick<ObservedCall, "startedAt" | "endedAt" | "verdict" | "slow">;

/** Why a connection is to be opened; `from`: when the first call that speaks against it began. */
export interface Evidence {
  code: string;
  detail: string;
  from: number;
}

/** So many calls are remembered; where more are made in a minute, the newest decide. */
const remembered = 500;
/** And so many of the events that failed several calls at once. */
const rememberedCauses = 32;

/** What one process has seen of a connection lately. */
export class AttemptWindow {
  private calls: RememberedCall[] = [];
  /** Faults since the last call that worked, oldest first. */
  private row: RememberedCall[] = [];
  private readonly causes = new Set<string>();

  /** Returns why the connection is to be opened, or null. */
  record(observed: ObservedCall): Evidence | null {
    const call = this.isCounted(observed) ? { ...observed, verdict: "nothing" as const } : observed;
    const { startedAt, endedAt, verdict, slow } = call;
    this.calls.push({ startedAt, endedAt, verdict, slow });
    if (this.calls.length > 1.5 * remembered) this.calls = this.calls.slice(-remembered);
    if (call.verdict === "works") this.row = [];
    if (call.verdict === "refused") return evidence(call, call.startedAt);
    if (call.verdict !== "fault") return null;
    if (this.row.length < breakerRules.consecutive) this.row.push({ startedAt, endedAt, verdict, slow });
    return this.manyInARow(call) ?? this.tooGreatAShare(call);
  }

  /** Whether what failed the call has failed another one before, and is counted already. */
  private isCounted({ verdict, cause }: ObservedCall): boolean {
    if (verdict !== "fault" || cause === undefined) return false;
    if (this.causes.has(cause)) return true;
    this.causes.add(cause);
    for (const oldest of this.causes) {
      if (this.causes.size <= rememberedCauses) break;
      this.causes.delete(oldest);
    }
    return false;
  }

  private manyInARow(newest: ObservedCall): Evidence | null {
    const oldest = this.row[0];
    if (!oldest) return null;
    const sparse =
      this.row.length >= breakerRules.sparse && newest.endedAt - oldest.startedAt >= breakerRules.sparseOver;
    return sparse || this.row.length >= breakerRules.consecutive ? evidence(newest, oldest.startedAt) : null;
  }

  private tooGreatAShare(newest: ObservedCall): Evidence | null {
    let judged = 0;
    let from = newest.startedAt;
    let faults = 0;
    for (const call of this.recent(newest.endedAt - breakerRules.window)) {
      if (call.verdict === "fault") {
        faults++;
        from = Math.min(from, call.startedAt);
      } else if (call.verdict !== "works") continue;
      judged++;
    }
    return judged >= breakerRules.minCalls && faults >= judged * breakerRules.share
      ? evidence(newest, from)
      : null;
  }

  /**
   * The share of slow calls in the window, and how many calls that is of; those that say nothing are left out. `slowSince`:
   * of a connection that is slow, and then where little is sent the newest calls since then count, however long ago.
   */
  slowness(now: number, slowSince?: number): { calls: number; share: number } {
    const judged = (since: number) =>
      this.recent(since).filter(({ verdict }) => verdict === "works" || verdict === "fault");
    let calls = judged(now - slowRules.window);
    if (slowSince !== undefined && calls.length < slowRules.minCalls)
      calls = judged(slowSince).slice(-slowRules.minCalls);
    const slow = calls.filter((call) => call.slow).length;
    return { calls: calls.length, share: calls.length === 0 ? 0 : slow / calls.length };
  }

  /** What was before says nothing any more: the connection has been opened, or tried anew. */
  forgetFaults(): void {
    this.row = [];
    this.calls = this.calls.filter((call) => call.verdict !== "fault");
  }

  private recent(since: number): RememberedCall[] {
    return this.calls.slice(-remembered).filter((call) => call.endedAt >= since);
  }
}

function evidence(call: ObservedCall, from: number): Evidence {
  return { code: call.code, detail: call.detail, from };
}
