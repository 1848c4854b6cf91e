import { callerGroup, callerSite } from "../kernel/client-address.ts";
import { Counts } from "../kernel/counts.ts";

/** How much one process takes on. */
export interface AdmissionLimits {
  /** Requests under way. */
  requests: number;
  /** Of these, of one caller: an IPv4 address or an IPv6 /64. */
  requestsOfOne: number;
  /** Of these, of one IPv6 /48, which has 65,536 such callers. */
  requestsOfSite: number;
  /** Sign-ins under way: requests to /api/auth that have a body, however slowly it arrives. */
  signIns: number;
  /** Of these, of one caller. */
  signInsOfOne: number;
  /** Of these, of one IPv6 /48. */
  signInsOfSite: number;
  /** Open connections, idle ones included. */
  connections: number;
  /** Of these, from one address that is no trusted proxy. */
  connectionsOfOne: number;
  /** Of these, from one IPv6 /48. */
  connectionsOfSite: number;
}

/**
 * One caller may have a quarter of what there is; four callers who flood at once leave nothing to a fifth. Of sign-ins, which
 * take what anybody sends them, they fill no more than those places: as many as may wait for their passwords to be compared.
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

/** Slots that one caller, and one IPv6 /48, have a bounded share of. Holds an entry only for those who have any. */
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

  /** Takes a place for an address; the function gives it back. "caller" and "process" say whose share is used up. */
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

/** Slots for requests: of the process, and of sign-ins among them. */
export class Admission {
  private readonly requests: SharedSlots;
  private readonly signIns: SharedSlots;

  constructor(limits: AdmissionLimits) {
    this.requests = new SharedSlots(limits.requests, limits.requestsOfOne, limits.requestsOfSite);
    this.signIns = new SharedSlots(limits.signIns, limits.signInsOfOne, limits.signInsOfSite);
  }

  /** As `SharedSlots.take`; "signIn" says that all slots for sign-ins are taken. */
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
