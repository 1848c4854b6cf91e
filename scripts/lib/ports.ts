import net from "node:net";

/** Whether a TCP port of an address can be listened on right now. */
export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A free loopback port, if possible the preferred one. */
export async function choosePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred;
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/**
 * The port, or the first one after it, that can be listened on and is not among `taken`. Throws when none of a hundred can:
 * then something else is wrong with the address.
 */
export async function nextFreePort(first: number, taken: ReadonlySet<number>): Promise<number> {
  for (let port = first; port < Math.min(first + 100, 65_536); port++) {
    if (!taken.has(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`None of the ports from ${first} on is free for metrics.`);
}
