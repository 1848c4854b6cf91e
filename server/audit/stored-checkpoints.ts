import { selectCheckpoints } from "./chain-queries.ts";
import { Checkpoints } from "./checkpoint.ts";
import { readPublicKey } from "./signing.ts";
import type { Problem } from "./verify-chain.ts";

const linesAtOnce = 500;

/** The checkpoints that the database has since the newest complete one. */
export async function loadStoredCheckpoints(
  client: Parameters<typeof selectCheckpoints>[0],
  publicKey: string,
): Promise<Checkpoints & { problem?: Problem }> {
  const checkpoints: Checkpoints & { problem?: Problem } = new Checkpoints(readPublicKey(publicKey));
  let after: number | null = null;
  for (;;) {
    const rows = await selectCheckpoints(client, after, linesAtOnce);
    for (const { line } of rows) {
      const problem = checkpoints.add(line);
      if (problem) {
        checkpoints.problem = problem;
        return checkpoints;
      }
    }
    const last = rows.at(-1);
    if (rows.length < linesAtOnce || !last) return checkpoints;
    after = last.number;
  }
}
