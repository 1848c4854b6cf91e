import { Counts } from "../kernel/counts.ts";

/** How much one process takes on. */
export interface AdmissionLimits {
  /** Requests under way. */
  requests: number;
  /** Of these, of one caller: an IPv4 address or an IPv6 /64. */
  requestsOfOne: number;
  /** Open connections, idle ones included. */
  connections: number;
  /** Of these, from one address that is no trusted proxy. */
  connectionsOfOne: number;
}

/** One caller may have a quarter of what there is; four callers who flood at once leave nothing to a fifth. */
export const admissionLimits: AdmissionLimits = {
  requests: 1_000,
  requestsOfOne: 256,
  connections: 4_000,
  connectionsOfOne: 512,
};

export class Admission {
  private readonly limits: AdmissionLimits;
  private readonly callers = new Counts();
  private underWay = 0;

  constructor(limits: AdmissionLimits) {
    this.limits = limits;
  }

  /** Takes a place for a request; `leave` gives it back. "caller" and "process" say what is full. */
  enter(caller: string): "entered" | "caller" | "process" {
    if (this.callers.of(caller) >= this.limits.requestsOfOne) return "caller";
    if (this.underWay >= this.limits.requests) return "process";
    this.underWay++;
    this.callers.add(caller);
    return "entered";
  }

  leave(caller: string): void {
    this.underWay--;
    this.callers.remove(caller);
  }
}
