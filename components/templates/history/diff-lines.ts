/** What changed between two texts, line by line and within lines. Pure, so that it also runs without an editor. */
import { diffArrays } from "diff";

/** A stretch of a line; `changed` when the other side does not have it. */
export type DiffPiece = { text: string; changed: boolean };
/** One side of a row: its line, counted from 1. */
export type DiffCell = { number: number; pieces: DiffPiece[] };
/** Lines that stand beside each other; a side is null where it has no counterpart. */
export type DiffRow = {
  kind: "same" | "changed" | "added" | "removed";
  left: DiffCell | null;
  right: DiffCell | null;
};

/** Additions and removals; beyond it two texts are taken to have nothing in common. */
const mostEdits = 2_000;

/** Rows of the two texts side by side. Lines that were replaced are paired, with the words that differ marked. */
export function diffLines(left: string, right: string): DiffRow[] {
  const a = left === "" ? [] : left.split("\n");
  const b = right === "" ? [] : right.split("\n");
  const rows: DiffRow[] = [];
  let removed: number[] = [];
  let added: number[] = [];
  const flush = () => {
    const pairs = Math.max(removed.length, added.length);
    for (let index = 0; index < pairs; index++) rows.push(rowOf(a, b, removed[index], added[index]));
    removed = [];
    added = [];
  };
  for (const step of align(a, b)) {
    if (step.left !== undefined && step.right !== undefined) {
      flush();
      const text = a[step.left] ?? "";
      rows.push({
        kind: "same",
        left: { number: step.left + 1, pieces: [{ text, changed: false }] },
        right: { number: step.right + 1, pieces: [{ text, changed: false }] },
      });
    } else if (step.left !== undefined) removed.push(step.left);
    else if (step.right !== undefined) added.push(step.right);
  }
  flush();
  return rows;
}

function rowOf(a: readonly string[], b: readonly string[], left?: number, right?: number): DiffRow {
  const whole = (text: string): DiffPiece[] => [{ text, changed: true }];
  if (left === undefined || right === undefined) {
    return {
      kind: left === undefined ? "added" : "removed",
      left: left === undefined ? null : { number: left + 1, pieces: whole(a[left] ?? "") },
      right: right === undefined ? null : { number: right + 1, pieces: whole(b[right] ?? "") },
    };
  }
  const words = diffWords(a[left] ?? "", b[right] ?? "");
  return {
    kind: "changed",
    left: { number: left + 1, pieces: words.left },
    right: { number: right + 1, pieces: words.right },
  };
}

/** The two lines in pieces, those that only one of them has marked. */
export function diffWords(left: string, right: string): { left: DiffPiece[]; right: DiffPiece[] } {
  const a = wordsOf(left);
  const b = wordsOf(right);
  const pieces: { left: DiffPiece[]; right: DiffPiece[] } = { left: [], right: [] };
  const push = (side: DiffPiece[], text: string, changed: boolean) => {
    const last = side.at(-1);
    if (last?.changed === changed) last.text += text;
    else side.push({ text, changed });
  };
  for (const step of align(a, b)) {
    const both = step.left !== undefined && step.right !== undefined;
    if (step.left !== undefined) push(pieces.left, a[step.left] ?? "", !both);
    if (step.right !== undefined) push(pieces.right, b[step.right] ?? "", !both);
  }
  return { left: withoutGaps(pieces.left), right: withoutGaps(pieces.right) };
}

/** Words, blanks and signs; Liquid's delimiters are one sign each. */
function wordsOf(line: string): string[] {
  return line.match(/\{\{-?|-?\}\}|\{%-?|-?%\}|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** A blank between two changed pieces belongs to them: one mark is easier to read than two. */
function withoutGaps(pieces: readonly DiffPiece[]): DiffPiece[] {
  const joined: DiffPiece[] = [];
  pieces.forEach((piece, index) => {
    const gap =
      piece.text.trim() === "" && pieces[index - 1]?.changed === true && pieces[index + 1]?.changed === true;
    const changed = piece.changed || gap;
    const last = joined.at(-1);
    if (last?.changed === changed) last.text += piece.text;
    else joined.push({ text: piece.text, changed });
  });
  return joined;
}

/** Which entries of two lists the other one does not have, by index. Lists with nothing in common differ in all. */
export function diffLists(
  a: readonly string[],
  b: readonly string[],
): { left: ReadonlySet<number>; right: ReadonlySet<number> } {
  const left = new Set<number>();
  const right = new Set<number>();
  for (const step of align(a, b)) {
    if (step.left === undefined && step.right !== undefined) right.add(step.right);
    else if (step.right === undefined && step.left !== undefined) left.add(step.left);
  }
  return { left, right };
}

type Step = { left?: number; right?: number };

/** Both lists from start to end: what they share, and what only one of them has, removals before additions. */
function align(a: readonly string[], b: readonly string[]): Step[] {
  // Nothing comes back when they differ in more places than it is worth looking for.
  const changes = diffArrays([...a], [...b], { maxEditLength: mostEdits }) ?? [
    { value: [...a], count: a.length, added: false, removed: true },
    { value: [...b], count: b.length, added: true, removed: false },
  ];
  const steps: Step[] = [];
  let left = 0;
  let right = 0;
  for (const { value, added, removed } of changes) {
    for (const _ of value) {
      steps.push({ ...(added ? {} : { left: left++ }), ...(removed ? {} : { right: right++ }) });
    }
  }
  return steps;
}

/** Rows with long unchanged stretches folded: `fold` counts the rows left out there. */
export type FoldedRow = DiffRow | { kind: "fold"; from: number; count: number };

export function foldUnchanged(rows: readonly DiffRow[], context = 3): FoldedRow[] {
  const near = rows.map(() => false);
  rows.forEach((row, index) => {
    if (row.kind === "same") return;
    for (let at = Math.max(0, index - context); at <= Math.min(rows.length - 1, index + context); at++)
      near[at] = true;
  });
  const folded: FoldedRow[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (!row) continue;
    let end = index;
    while (end < rows.length && near[end] === false) end++;
    // A fold that hides one or two lines takes as much room as they do.
    if (end - index > 2) {
      folded.push({ kind: "fold", from: index, count: end - index });
      index = end - 1;
    } else folded.push(row);
  }
  return folded;
}
