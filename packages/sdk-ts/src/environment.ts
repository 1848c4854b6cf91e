/** A variable of the process, where there are such: Node, Bun, Deno, and edge runtimes that have `process.env`. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
