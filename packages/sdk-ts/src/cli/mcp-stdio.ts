/**
 * Carries messages of the Model Context Protocol between a client on standard input and output and the address /mcp of an
 * installation: a line each way is one message of JSON-RPC. Nothing is interpreted here but ids, for errors.
 */

/** Characters of one message; the installation takes a MiB. */
const mostCharacters = 1_048_576;
/** Calls under way at once; further lines wait. */
const mostCalls = 8;

export interface McpStdioOptions {
  /** Address of the installation, e.g. https://tidings.example.com */
  baseUrl: string;
  apiKey: string;
  input: AsyncIterable<string | Uint8Array>;
  /** Takes one line at a time, without its end. */
  write: (line: string) => void;
  /** Replaces the global fetch. */
  fetch?: typeof fetch;
}

/** Resolves when the input has ended and everything is answered. */
export async function carryMcp(options: McpStdioOptions): Promise<void> {
  const { baseUrl, apiKey, write } = options;
  const call = options.fetch ?? fetch;
  const address = `${baseUrl.replace(/\/$/, "")}/mcp`;
  const running = new Set<Promise<void>>();
  let version: string | undefined;

  const fail = (id: unknown, message: string) => {
    if (id !== undefined) write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_603, message } }));
  };

  async function carry(line: string): Promise<void> {
    let id: unknown;
    try {
      const message = JSON.parse(line) as { id?: unknown; method?: unknown };
      if (typeof message.method === "string") id = message.id;
    } catch {
      write(
        JSON.stringify({
          jsonrpc: "2.0",
          id: null,
          error: { code: -32_700, message: "This line is not JSON." },
        }),
      );
      return;
    }
    try {
      const response = await call(address, {
        method: "POST",
        headers: {
          authorization: `Bearer ${apiKey}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(version === undefined ? {} : { "mcp-protocol-version": version }),
        },
        body: line,
        // A redirected POST would arrive as a GET, or the message somewhere else.
        redirect: "manual",
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      if (response.status === 202) return;
      if (response.headers.get("content-type")?.startsWith("application/json") === true) {
        const answer = JSON.parse(text) as { result?: { protocolVersion?: unknown } };
        if (typeof answer.result?.protocolVersion === "string") version = answer.result.protocolVersion;
        write(JSON.stringify(answer));
        return;
      }
      fail(id, problemText(text) ?? `The installation answered with status ${String(response.status)}.`);
    } catch (error) {
      fail(
        id,
        `The installation cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async function take(line: string): Promise<void> {
    if (line.trim() === "") return;
    const work: Promise<void> = carry(line).finally(() => running.delete(work));
    running.add(work);
    if (running.size >= mostCalls) await Promise.race(running);
  }

  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of options.input) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) await take(line);
    if (rest.length > mostCharacters) throw new Error("A message is longer than 1 MiB.");
  }
  await take(rest);
  await Promise.all(running);
}

/** What an error of the installation says (RFC 9457). */
function problemText(text: string): string | undefined {
  try {
    const { code, detail } = JSON.parse(text) as { code?: unknown; detail?: unknown };
    return typeof code === "string" && typeof detail === "string" ? `${code}: ${detail}` : undefined;
  } catch {
    return undefined;
  }
}
