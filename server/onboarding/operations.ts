import { mutation, query } from "../operations/operation.ts";
import { dismissChecklist, getChecklist } from "./get-checklist.ts";

/** The first steps of an organisation. */
export const onboardingOperations = {
  checklist: query({ permission: "session", run: getChecklist }),
  dismissChecklist: mutation({ permission: "session", run: dismissChecklist }),
};
