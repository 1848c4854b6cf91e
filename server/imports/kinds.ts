import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { consentKind } from "./consent-kind.ts";
import { contactsKind } from "./contacts-kind.ts";
import type { ImportMapping } from "./schemas.ts";
import type { ImportKindName } from "./vocabulary.ts";
import { suppressionsKind } from "./suppressions-kind.ts";

/** What is wrong with a cell: of the column that becomes this, or of the row itself. */
export interface CellProblem {
  target: string | null;
  code: string;
  detail: string;
}

export type Outcome = "created" | "updated" | "unchanged" | CellProblem;

/** The cells of a row by what they become, trimmed and without those that are empty. `name`: the column's in the file. */
export type Cells = ReadonlyMap<string, readonly { name: string; text: string }[]>;

/** What rows of a file can become. */
export interface ImportKind<Row> {
  /** What is needed to see and to make such imports. */
  readonly permission: "consent:write" | "contacts:write";
  /** Throws unless the caller may write such rows for the environment. */
  authorize(ctx: Ctx, environmentId: string): Promise<{ sandbox: boolean }>;
  /**
   * Whether cells that a row lacks at its end are empty ones: Excel leaves out the last columns where they are empty in a number of
   * rows. False where an empty cell says more than a full one, so that a row that was cut off does not.
   */
  readonly mayEndEarly: boolean;
  /** Header names, in small letters and digits only, by what their column becomes. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Why a mapping cannot work; null: it can. */
  complain(mapping: ImportMapping): string | null;
  /** A row, or what is wrong with it. */
  read(cells: Cells, context: { constants: ImportMapping["constants"]; now: Date }): Row | CellProblem[];
  /** For a dry run: by what a later row of the file is known to be about the same, and what this one says of it, 1 to 65,535. */
  mark(row: Row): { names: string[]; says: number };
  /** For a dry run: what comes of a row that says this after one of the file that said that, and what is said from then on. */
  after(said: number, says: number): { outcome: "created" | "updated" | "unchanged"; says: number };
  /** Writes rows in one go, or says what would come of them. An outcome for each, in their order. */
  write(
    ctx: Ctx,
    tx: Tx,
    input: { sandbox: boolean; groupIds: readonly string[]; dry: boolean; rows: readonly Row[] },
  ): Promise<Outcome[]>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- rows of every kind
const kinds: Record<ImportKindName, ImportKind<any>> = {
  consent: consentKind,
  contacts: contactsKind,
  suppressions: suppressionsKind,
};

export function kindOf(name: ImportKindName): ImportKind<unknown> {
  return kinds[name] as ImportKind<unknown>;
}

export const kindNames = Object.keys(kinds) as ImportKindName[];
