import { readWhole } from "../ui/typed-number.ts";

/** Lines of a text, without empty ones. */
const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

export const networksOf = linesOf;
export const networksHint = "One IPv4 or IPv6 address or range per line. Leave empty to allow any.";
export const recipientsHint =
  "One per line: an address, *@example.com, or the start of a number such as +49151*.";

/** What of an agent's limits is typed. */
export interface AgentValues {
  recipients: string;
  hourlyCap: string;
  laterStages: boolean;
}

/** The same as the operations take it. */
export const agentOf = (values: AgentValues) => ({
  recipients: linesOf(values.recipients),
  hourlyCap: readWhole(values.hourlyCap),
  laterStages: values.laterStages,
});
