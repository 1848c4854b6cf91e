/** SQLSTATE classes and codes of a database that is unavailable: connection lost, shutting down, out of connections. */
const sqlStates = new Set(["53300", "53400", "57P01", "57P02", "57P03", "57P05"]);
const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
  "EHOSTUNREACH",
]);
/** Prisma: cannot reach, timed out, connection closed, no connection from the pool, no transaction in time. */
const prismaCodes = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028"]);
/** Errors of pg and its pool that have no code. */
const messages = [
  "timeout exceeded when trying to connect",
  "Connection terminated",
  "Client has encountered a connection error",
  "Cannot use a pool after calling end",
];

/** Whether an error means that the database is unreachable or overloaded: worth trying again soon. */
export function isUnavailable(error: unknown): boolean {
  for (let current = error, hops = 0; current instanceof Error && hops < 5; current = current.cause, hops++) {
    const code = "code" in current && typeof current.code === "string" ? current.code : "";
    if (sqlStates.has(code) || networkCodes.has(code) || prismaCodes.has(code) || /^08...$/.test(code))
      return true;
    if (current.name === "PrismaClientInitializationError") return true;
    const { message } = current;
    if (messages.some((text) => message.includes(text))) return true;
    // For a name with several addresses Node reports an aggregate error.
    if (current instanceof AggregateError && current.errors.some((inner) => isUnavailable(inner)))
      return true;
    // Prisma's driver adapters keep the driver's error here.
    const meta =
      "meta" in current ? (current.meta as { driverAdapterError?: unknown } | undefined) : undefined;
    if (meta?.driverAdapterError !== undefined && isUnavailable(meta.driverAdapterError)) return true;
  }
  return false;
}

/** Whether the server itself rejected the statement (SQLSTATE), as opposed to a lost connection. */
export function isStatementError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return (
    typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("08") && !code.startsWith("57")
  );
}
