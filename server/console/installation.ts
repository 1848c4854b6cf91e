import { laneOfTask, otherLane } from "../sending/lane-of-task.ts";
import type { OperatorCtx } from "./operator-ctx.ts";
import { selectState } from "./queries.ts";
import type { QueueRow } from "./queries.ts";
import { laneNames } from "./schemas.ts";
import { mostCounted } from "./vocabulary.ts";
import type { LaneName } from "./schemas.ts";

/** A process that said nothing for so long does not get on. */
const aliveMs = 10_000;

export interface LaneState {
  lane: LaneName;
  /** Jobs that may run now, that are for later, and that are not tried again; at most `mostCounted` of each kind of job. */
  ready: number;
  later: number;
  givenUp: number;
  /** How long the job at the head has waited, ms; null: none waits. */
  lagMs: number | null;
  /** Whether a working process carries it. */
  carried: boolean;
}

/** How the installation is doing: figures and times alone. */
export async function getInstallation(ctx: OperatorCtx) {
  const { queue, workers, database, sweep, checkpoint, now } = await selectState(ctx.console, mostCounted);
  const alive = workers.filter(
    ({ givenUpAt, beatAt }) => givenUpAt === null && now.getTime() - beatAt.getTime() < aliveMs,
  );
  const byLane = Map.groupBy(queue, ({ task }) => laneOfTask.get(task) ?? otherLane);
  const lanes = laneNames.map((lane): LaneState => {
    const rows = byLane.get(lane) ?? [];
    const sum = (of: (row: QueueRow) => number) => rows.reduce((all, row) => all + of(row), 0);
    const since = rows.flatMap(({ waitingSince }) => (waitingSince ? [waitingSince.getTime()] : []));
    return {
      lane,
      ready: sum(({ ready }) => ready),
      later: sum(({ later }) => later),
      givenUp: sum(({ givenUp }) => givenUp),
      lagMs: since.length === 0 ? null : Math.max(0, now.getTime() - Math.min(...since)),
      carried: alive.some((worker) => worker.lanes.includes(lane)),
    };
  });
  return {
    at: now,
    lanes,
    givenUp: queue
      .filter(({ givenUp }) => givenUp > 0)
      .map(({ task, givenUp, givenUpAt }) => ({ task, count: givenUp, lastAt: givenUpAt })),
    workers: workers.map((worker) => ({
      name: worker.name,
      lanes: worker.lanes,
      lastSeenAt: worker.beatAt,
      alive: alive.includes(worker),
    })),
    database: {
      bytes: Number(database?.bytes ?? 0),
      connections: database?.connections ?? 0,
      mostConnections: database?.mostConnections ?? 0,
      version: database?.version ?? "",
    },
    /** What the safety net found in its last look and in all; null: it has not looked yet. */
    sweep: sweep && {
      at: sweep.at,
      found: sweep.found,
      total: Number(sweep.total),
      lastFoundAt: sweep.foundAt,
    },
    /** Of the audit trails; null: there is none yet. */
    checkpoint: checkpoint && {
      number: Number(checkpoint.number),
      at: checkpoint.at,
      filedAt: checkpoint.filedAt,
    },
  };
}
