import type { BoardRow, Pipeline, Stage } from "../../server/pipelines/schemas.ts";
import { promotionLimits } from "../../server/pipelines/vocabulary.ts";

/** Two neighbouring stages; `index` is the one that gives. */
export type StagePair = { index: number; from: Stage; to: Stage };

/** The steps of a pipeline, from the first. */
export function stagePairs(pipeline: Pick<Pipeline, "stages">): StagePair[] {
  return pipeline.stages.slice(1).flatMap((to, index) => {
    const from = pipeline.stages[index];
    return from ? [{ index, from, to }] : [];
  });
}

/** Whether a row has something that this step could move: what is live nowhere before it cannot be promoted. */
export function canMove(row: BoardRow, pair: Pick<StagePair, "index">): boolean {
  return row.differs[pair.index] === true && row.stages[pair.index]?.version != null;
}

/** The promotion under way that would change a row's target stage, or null. */
export function openPromotion(row: BoardRow, pair: Pick<StagePair, "index">): string | null {
  return row.stages[pair.index + 1]?.openPromotionId ?? null;
}

/** What a step could move of some rows: what is free to, and what another promotion has already. */
export function movableRows(
  rows: readonly BoardRow[],
  pair: Pick<StagePair, "index">,
): { free: BoardRow[]; busy: BoardRow[] } {
  const movable = rows.filter((row) => canMove(row, pair));
  return {
    free: movable.filter((row) => openPromotion(row, pair) === null),
    busy: movable.filter((row) => openPromotion(row, pair) !== null),
  };
}

/** Whether further pages of the board are read to promote everything: until there is more than one promotion can move. */
export function readsOn(
  rows: readonly BoardRow[],
  pair: Pick<StagePair, "index">,
  hasNextPage: boolean,
): boolean {
  return hasNextPage && movableRows(rows, pair).free.length <= promotionLimits.templates;
}
