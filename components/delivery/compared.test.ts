import { describe, expect, test } from "vitest";
import type { DeliveryReport } from "../../server/insights/schemas.ts";
import { comparedCourse, comparedTotals } from "./compared.ts";

const hour = 3_600_000;
const noon = Date.UTC(2026, 10, 20, 12);
const counts = (accepted: number, delivered: number) => ({
  ...{ accepted, delivered, sent: accepted, sentWithoutReceipt: 0, failed: 0, rejected: 0, expired: 0 },
  ...{ canceled: 0, undetermined: 0, read: 0, clicked: 0, bounced: 0, complained: 0, deliveryRate: null },
});
/** So many accepted in each hour up to `to`, all of them delivered. */
function reportOf(to: number, hours: number[], interval: DeliveryReport["interval"] = "hour") {
  const none = { sentP50Ms: null, sentP95Ms: null, deliveredP50Ms: null, deliveredP95Ms: null };
  const all = hours.reduce((sum, each) => sum + each, 0);
  return {
    ...{ to: new Date(to).toISOString(), interval, totals: counts(all, all) },
    series: hours.map((accepted, index) => ({
      at: new Date(to - (hours.length - index) * hour).toISOString(),
      ...counts(accepted, accepted),
      ...none,
    })),
  };
}

describe("what is compared with the period before", () => {
  test("of hours is what is over, on both sides: a steady flow has not become less", () => {
    const [report, before] = [reportOf(noon, [60, 60, 3]), reportOf(noon - 3 * hour, [60, 60, 60])];
    const compared = comparedTotals(report, before, noon);
    expect([compared?.now.accepted, compared?.then.accepted]).toEqual([120, 120]);
    expect([compared?.now.delivered, compared?.now.underWay]).toEqual([120, 0]);
    expect(comparedCourse(report, before, noon)).toHaveLength(2);
  });

  test("is nothing while the only hour runs, and all of it once it is over", () => {
    const [report, before] = [reportOf(noon, [3]), reportOf(noon - hour, [60])];
    expect(comparedTotals(report, before, noon)).toBeNull();
    expect(comparedCourse(report, before, noon)).toEqual([]);
    expect(comparedTotals(report, before, noon + hour)?.then.accepted).toBe(60);
    expect(comparedCourse(report, before, noon + hour)).toHaveLength(1);
  });

  test("is all of a period by days", () => {
    const [report, before] = [reportOf(noon, [60, 3], "day"), reportOf(noon - 2 * hour, [60, 60], "day")];
    expect(comparedTotals(report, before, noon)?.now.accepted).toBe(63);
    expect(comparedCourse(report, before, noon)).toHaveLength(2);
  });
});
