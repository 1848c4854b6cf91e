import { callerGroup, callerSite } from "../kernel/client-address.ts";
import { Counts } from "../kernel/counts.ts";

/** The limits of one process. */
export interface AdmissionLimits {
  /** Concurrent requests. */
  requests: number;
  /** Of these, from one caller: an IPv4 address or an IPv6 /64. */
  requestsOfOne: number;
  /** Of these, from one IPv6 /48, which has 65,536 such callers. */
  requestsOfSite: number;
  /** Concurrent sign-ins: requests with a body to where somebody is not signed in yet (path-rules.ts), however slowly it arrives. */
  signIns: number;
  /** Of these, from one caller. */
  signInsOfOne: number;
  /** Of these, from one IPv6 /48. */
  signInsOfSite: number;
  /** Open connections, idle ones included. */
  connections: number;
  /** Of these, from one address that is not a trusted proxy. */
  connectionsOfOne: number;
  /** Of these, from one IPv6 /48. */
  connectionsOfSite: number;
}

/**
 * One caller may use a quarter; four callers who flood at once leave nothing to a fifth. Sign-ins, to which anybody may
 * send a body, have slots of their own: as many as passwords may wait to be compared.
 */
export const admissionLimits: AdmissionLimits = {
  requests: 1_000,
  requestsOfOne: 256,
  requestsOfSite: 384,
  signIns: 64,
  signInsOfOne: 16,
  signInsOfSite: 24,
  connections: 4_000,
  connectionsOfOne: 512,
  connectionsOfSite: 1_024,
};

/** Slots with a bounded share for each caller and IPv6 /48. Holds an entry only for those who use any. */
export class SharedSlots {
  private readonly total: number;
  private readonly ofOne: number;
  private readonly ofSite: number;
  private readonly taken = new Counts();
  private all = 0;

  constructor(total: number, ofOne: number, ofSite: number) {
    this.total = total;
    this.ofOne = ofOne;
    this.ofSite = ofSite;
  }

  /**
   * Takes a slot for an address; returns a function that releases it. "caller" and "process" say whose share is used
   * up.
   */
  take(address: string | null): (() => void) | "caller" | "process" {
    const group = callerGroup(address);
    const site = callerSite(address);
    if (this.taken.of(group) >= this.ofOne) return "caller";
    if (site !== null && this.taken.of(site) >= this.ofSite) return "caller";
    if (this.all >= this.total) return "process";
    this.all++;
    this.taken.add(group);
    if (site !== null) this.taken.add(site);
    return () => {
      this.all--;
      this.taken.remove(group);
      if (site !== null) this.taken.remove(site);
    };
  }
}

/** Slots for requests: of the process, and for sign-ins among them. */
export class Admission {
  private readonly requests: SharedSlots;
  private readonly signIns: SharedSlots;

  constructor(limits: AdmissionLimits) {
    this.requests = new SharedSlots(limits.requests, limits.requestsOfOne, limits.requestsOfSite);
    this.signIns = new SharedSlots(limits.signIns, limits.signInsOfOne, limits.signInsOfSite);
  }

  /** As `SharedSlots.take`; "signIn" when all slots for sign-ins are taken. */
  enter(address: string | null, isSignIn: boolean): (() => void) | "caller" | "process" | "signIn" {
    const leave = this.requests.take(address);
    if (!isSignIn || typeof leave === "string") return leave;
    const leaveSignIn = this.signIns.take(address);
    if (typeof leaveSignIn === "string") {
      leave();
      return leaveSignIn === "process" ? "signIn" : leaveSignIn;
    }
    return () => {
      leaveSignIn();
      leave();
    };
  }
}
