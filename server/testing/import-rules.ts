import { createRequire } from "node:module";
import type { IForbiddenRuleType } from "dependency-cruiser";

/** The import rules of .dependency-cruiser.cjs. */
export const { forbidden } = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as {
  forbidden: IForbiddenRuleType[];
};

/** The domains, lowest layer first: each has a rule of its own. */
export const domains = forbidden.flatMap(({ name }) => /^layer-of-(.+)$/.exec(name ?? "")?.[1] ?? []);
