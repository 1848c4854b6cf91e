import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";

const database = await testDatabase();
beforeEach(() => database.owner.query("DELETE FROM graphile_worker._private_jobs"));

interface NewJob {
  tenantId: string;
  messages?: number;
  task?: string;
  runAt?: Date;
}

async function enqueue(jobs: NewJob[]): Promise<void> {
  await database.worker.pool.query("SELECT enqueue_jobs($1)", [
    JSON.stringify(
      jobs.map(({ tenantId, messages = 1, task = "deliver_transactional", runAt }) => ({
        task,
        payload: { tenantId, notificationIds: Array.from({ length: messages }, newId) },
        runAt,
      })),
    ),
  ]);
}

/** The tenants of the jobs that a runner of the lane would fetch, in its order. */
async function order(task = "deliver_transactional"): Promise<string[]> {
  const { rows } = await database.owner.query<{ tenant: string }>(
    `SELECT j.payload->>'tenantId' AS tenant FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = $1 AND j.is_available AND j.run_at <= now() ORDER BY j.priority, j.run_at`,
    [task],
  );
  return rows.map((row) => row.tenant);
}

const giveTurns = () =>
  database.worker.pool.query("SELECT give_turns(ARRAY['deliver_transactional', 'deliver_otp'], 1000)");
const flood = (tenantId: string, jobs: number) =>
  enqueue(Array.from({ length: jobs }, () => ({ tenantId, messages: 10 })));

describe("within a lane", () => {
  it("a tenant with thirty thousand messages waiting delays another's by a handful of jobs", async () => {
    const [loud, quiet] = [newId(), newId()];
    await flood(loud, 3_000);
    await enqueue(Array.from({ length: 5 }, () => ({ tenantId: quiet, messages: 10 })));
    const fetched = await order();
    expect(fetched).toHaveLength(3_005);
    expect(fetched.lastIndexOf(quiet)).toBeLessThan(12);
  });

  it("tenants take turns by messages, not by jobs", async () => {
    const [hundreds, singles] = [newId(), newId()];
    await flood(hundreds, 100);
    await enqueue(Array.from({ length: 100 }, () => ({ tenantId: singles })));
    // Ten single messages for each job of ten.
    const first = (await order()).slice(0, 55);
    expect(first.filter((tenant) => tenant === singles).length).toBeGreaterThanOrEqual(48);
  });

  it("late arrivals do not overtake waiting jobs: turns continue from the head of the line", async () => {
    const [early, late] = [newId(), newId()];
    await flood(early, 100);
    // Ninety were fetched meanwhile.
    await database.owner.query(
      `DELETE FROM graphile_worker._private_jobs WHERE id IN (
         SELECT id FROM graphile_worker._private_jobs ORDER BY run_at LIMIT 90)`,
    );
    await flood(late, 10);
    const fetched = await order();
    for (const tenant of [early, late]) {
      expect(fetched.slice(0, 10).filter((one) => one === tenant).length).toBeGreaterThanOrEqual(4);
    }
  });

  it("jobs of one tenant keep their order", async () => {
    const tenantId = newId();
    for (let i = 0; i < 5; i++) await flood(tenantId, 3);
    const { rows } = await database.owner.query<{ id: string }>(
      "SELECT id FROM graphile_worker._private_jobs ORDER BY run_at",
    );
    const ids = rows.map((row) => Number(row.id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it("rescheduled jobs get their turn once they are due, among those who wait", async () => {
    const [loud, patient] = [newId(), newId()];
    await enqueue([{ tenantId: patient, runAt: new Date(Date.now() + 3_600_000) }]);
    await flood(loud, 500);
    expect(await order()).not.toContain(patient);
    await giveTurns();
    expect(await order()).not.toContain(patient);
    await database.owner.query(
      "UPDATE graphile_worker._private_jobs SET run_at = now() - interval '1 second' WHERE run_at > now()",
    );
    expect((await order()).indexOf(patient)).toBe(500);
    await giveTurns();
    expect((await order()).indexOf(patient)).toBeLessThan(3);
  });

  it("a rescheduled flood does not come back before everybody else", async () => {
    const [loud, quiet] = [newId(), newId()];
    const due = new Date(Date.now() - 1_000);
    await flood(quiet, 1);
    await flood(loud, 1_000);
    await database.owner.query(
      "UPDATE graphile_worker._private_jobs SET run_at = $1 WHERE payload->>'tenantId' = $2",
      [due, loud],
    );
    await giveTurns();
    await flood(quiet, 20);
    expect((await order()).lastIndexOf(quiet)).toBeLessThan(45);
  });

  it("where nothing waits, due jobs run as they are", async () => {
    const tenantId = newId();
    await enqueue([{ tenantId, runAt: new Date(Date.now() - 5_000) }]);
    await database.owner.query("UPDATE graphile_worker._private_jobs SET run_at = now()");
    const { rows } = await giveTurns();
    expect(rows).toEqual([{ give_turns: 0 }]);
    expect(await order()).toEqual([tenantId]);
  });

  it("lanes have turns of their own, and so has the sandbox's provider", async () => {
    const [loud, quiet] = [newId(), newId()];
    await enqueue(
      Array.from({ length: 300 }, () => ({ tenantId: loud, task: "post_simulated_callback", messages: 1 })),
    );
    await enqueue([{ tenantId: quiet, task: "post_simulated_callback" }]);
    await enqueue([{ tenantId: quiet, task: "deliver_otp" }]);
    expect((await order("post_simulated_callback")).indexOf(quiet)).toBeLessThan(3);
    expect(await order("deliver_otp")).toEqual([quiet]);
  });

  it("a tenant finds its place in a lane of 20,000 jobs without reading them", async () => {
    const loud = newId();
    await flood(loud, 20_000);
    await database.owner.query("ANALYZE graphile_worker._private_jobs");
    await database.owner.query("SET enable_seqscan = off");
    const { rows } = await database.owner.query<{ "QUERY PLAN": string }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING off) SELECT run_at FROM graphile_worker._private_jobs
       WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'deliver_transactional')
         AND payload->>'tenantId' = '${loud}' AND is_available AND run_at < '2010-01-01 00:00:00+00'
       ORDER BY run_at DESC LIMIT 1`,
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain("jobs_in_turn_idx");
    expect(plan).not.toContain("Sort");
  });
});
