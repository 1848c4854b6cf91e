/**
 * Kills workers, the API and Postgres under load for as long as you like, and checks the service's promises after each
 * round. The same as server/testing/survive/survive.test.ts, but longer.
 *
 *   npm run bench:survive                                  twenty rounds
 *   npm run bench:survive -- --rounds 100 --requests 500 --kills 20 --seed 7
 *
 * Prints a line per round and ends with status 1 when a promise was broken.
 */
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";

process.env.TIDINGS_SECRET_KEY ??= randomBytes(32).toString("base64");
process.env.LOG_LEVEL ??= "silent";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    requests: { type: "string", default: "200" },
    kills: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    workers: { type: "string", default: "2" },
  },
});
const [rounds, requests, kills, firstSeed, workers] = [
  values.rounds,
  values.requests,
  values.kills,
  values.seed,
  values.workers,
].map(Number) as [number, number, number, number, number];

// These modules read the environment when they are loaded.
const { openArena } = await import("../../server/testing/survive/arena.ts");
const { settle, injectFaults } = await import("../../server/testing/survive/chaos.ts");
const { verify } = await import("../../server/testing/survive/verify.ts");

const arena = await openArena({ workers });
let broken = 0;
try {
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    const started = Date.now();
    // Every other round without receipts in time: interrupted attempts are repeated.
    if (seed % 2 === 0) arena.holdReceipts();
    const chaos = await injectFaults(arena, { seed, requests, kills });
    const loaded = Date.now();
    const ids = [...chaos.acknowledged.values()].flatMap((request) => request.ids);
    await settle(arena, ids, 300_000);
    const account = await verify(arena, chaos.acknowledged);
    broken += account.broken.length;
    console.log(
      JSON.stringify({
        seed,
        kills: chaos.kills,
        repeatedRequests: chaos.repeated,
        messages: account.messages,
        delivered: account.delivered,
        undetermined: account.undetermined,
        cutOffAttempts: account.lost,
        extraSends: account.extra,
        loadSeconds: Math.round((loaded - started) / 100) / 10,
        settleSeconds: Math.round((Date.now() - loaded) / 100) / 10,
        broken: account.broken.slice(0, 10),
      }),
    );
  }
} finally {
  await arena.close();
}
console.log(broken === 0 ? "Every promise was kept." : `${String(broken)} promises were broken.`);
process.exitCode = broken === 0 ? 0 : 1;
