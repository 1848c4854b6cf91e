import { breakerRules, slowRules } from "./health-rules.ts";
import type { Verdict } from "./classify-outcome.ts";

/** A finished call; times in ms since the epoch. */
export interface ObservedCall {
  startedAt: number;
  endedAt: number;
  verdict: Verdict;
  code: string;
  detail: string;
  slow: boolean;
  /** The cause of its failure, if others failed of it too; see SendOutcome. */
  cause?: string | undefined;
}

/** What is kept of a call: a process may watch many connections. */
type RememberedCall = Pick<ObservedCall, "startedAt" | "endedAt" | "verdict" | "slow">;

/** Why a connection is to be opened; `from`: when the first call that counts against it began. */
export interface Evidence {
  code: string;
  detail: string;
  from: number;
}

/** How many calls are kept; with more than that in a minute, the newest decide. */
const remembered = 500;
/** And how many events that failed several calls at once. */
const rememberedCauses = 32;

/** Recent calls of a connection, as seen by one process. */
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

  /** Whether the cause of this failure was counted already. */
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
   * The share of slow calls in the window, and out of how many; calls that say nothing are left out. `slowSince`: for a
   * slow connection with little traffic, the newest calls since then count, however long ago.
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

  /** Older calls no longer count: the connection was opened, or is on trial. */
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
