import { mutation, query } from "../operations/operation.ts";
import type { Permission } from "../operations/permissions.ts";
import { cancelImport, createImport, uploadPiece } from "./create-import.ts";
import { getImport, listImports } from "./get-import.ts";
import {
  importCheckSchema,
  importIdSchema,
  importInputSchema,
  importListSchema,
  importPieceSchema,
} from "./schemas.ts";
import { checkImport, startImport } from "./start-import.ts";

/** Either; the use case asks for that of the import's kind. */
const permission: readonly [Permission, ...Permission[]] = ["consent:write", "contacts:write"];

/** Files of rows that become contacts, entries of the consent ledger or suppressions. */
export const importOperations = {
  list: query({ permission, input: importListSchema, run: listImports }),
  get: query({ permission, input: importIdSchema, run: getImport }),
  create: mutation({ permission, input: importInputSchema, run: createImport }),
  upload: mutation({ permission, input: importPieceSchema, run: uploadPiece }),
  check: mutation({ permission, input: importCheckSchema, run: checkImport }),
  start: mutation({ permission, input: importIdSchema, run: startImport }),
  cancel: mutation({ permission, input: importIdSchema, run: cancelImport }),
};
