import { mutation, query } from "../operations/operation.ts";
import { listBudgets } from "./list-budgets.ts";
import { listFindings } from "./list-findings.ts";
import { changeBudget, createBudget, removeBudget } from "./manage-budgets.ts";
import { budgetIdSchema, budgetInputSchema, budgetUpdateSchema, statementQuerySchema } from "./schemas.ts";
import { getStatement } from "./statement.ts";

/** Budgets, what is unusual about costs, and monthly statements. */
export const budgetOperations = {
  list: query({ permission: "costs:read", run: listBudgets }),
  create: mutation({ permission: "settings:manage", input: budgetInputSchema, run: createBudget }),
  change: mutation({ permission: "settings:manage", input: budgetUpdateSchema, run: changeBudget }),
  remove: mutation({ permission: "settings:manage", input: budgetIdSchema, run: removeBudget }),
  findings: query({ permission: "costs:read", run: listFindings }),
  statement: query({ permission: "costs:read", input: statementQuerySchema, run: getStatement }),
};
