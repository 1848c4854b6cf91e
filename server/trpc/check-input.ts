import { DomainError } from "../kernel/errors.ts";

const maxDepth = 64;

function checkText(text: string): void {
  if (text.includes("\0") || !text.isWellFormed()) {
    throw new DomainError("invalid_encoding", "The input holds characters that cannot be stored.");
  }
}

/**
 * Refuses input that no procedure can use: NUL and lone surrogates, which the database cannot store, and nesting that
 * no form produces. Throws `invalid_encoding` or `depth_exceeded`.
 */
export function checkInput(input: unknown): void {
  // Without recursion: the caller controls the depth.
  const open: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === "string") checkText(value);
    if (typeof value !== "object" || value === null) continue;
    if (depth >= maxDepth) throw new DomainError("depth_exceeded", "The input is nested too deeply.");
    for (const [name, member] of Object.entries(value)) {
      checkText(name);
      open.push({ value: member, depth: depth + 1 });
    }
  }
}
