import { DomainError } from "../kernel/errors.ts";
import { hashPassword } from "./password.ts";
import { newPasswordSchema } from "./schemas.ts";

/** As much of a password is judged: the work grows faster than the length, and what is good so far stays good. */
const judgedCharacters = 40;
/** Of 0 to 4: from here on a guess takes more than 100 million tries. */
const goodScore = 3;

type Judge = (password: string, words: readonly string[]) => "leaked" | "weak" | "good";

async function loadJudge(): Promise<Judge> {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const leaked = new Set(common.dictionary["passwords-common"].map(String));
  const estimate = new ZxcvbnFactory({
    dictionary: common.dictionary,
    graphs: common.adjacencyGraphs,
    maxLength: judgedCharacters,
    l33tMaxSubstitutions: 10,
  });
  return (password, words) => {
    if (leaked.has(password.toLowerCase())) return "leaked";
    const { score } = estimate.check(password.slice(0, judgedCharacters), [...words]);
    return score < goodScore ? "weak" : "good";
  };
}

// Loaded when the first password is chosen: most processes never see one, and the lists take memory.
let judge: Promise<Judge> | undefined;

/** What is known of whoever chooses: a password made of it is a poor one. */
export type Chooser = readonly (string | null | undefined)[];

/**
 * The one rule for passwords that people choose, and the hash of one that passes. Refused are those that are too short, that
 * stand on the list of the most common leaked ones, and that are easy to guess, also from what is known of the person.
 * Nothing leaves the process. Throws `invalid_request` at `pointer`, and `service_overloaded`.
 */
export async function hashNewPassword(
  password: string,
  { pointer, chooser }: { pointer: string; chooser: Chooser },
): Promise<string> {
  const refuse = (detail: string, code: string) =>
    new DomainError("invalid_request", "Choose another password.", { errors: [{ pointer, code, detail }] });
  const parsed = newPasswordSchema.safeParse(password);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refuse(issue?.message ?? "", issue?.code ?? "invalid");
  }
  judge ??= loadJudge();
  const words = chooser.flatMap((text) => (text ?? "").toLowerCase().split(/[\s@.,_+-]+/)).filter(Boolean);
  const verdict = (await judge)(password, ["tidings", ...words].slice(0, 30));
  if (verdict === "leaked") {
    throw refuse("This password appears in leaked password lists", "leaked_password");
  }
  if (verdict === "weak") throw refuse("Too easy to guess. Add a word or two", "weak_password");
  return hashPassword(password);
}
