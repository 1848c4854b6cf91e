import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A connection between a process and its database that can be cut at the worst moment. */
export interface CuttingProxy {
  port: number;
  /**
   * From the next statement on that contains this text, its answer never comes back, although the server does the work.
   */
  loseAnswerTo: (text: string) => void;
  close: () => Promise<void>;
}

/** Forwards to a server on this machine. */
export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let armed: string | null = null;
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    let cut = false;
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (armed !== null && chunk.includes(armed)) {
        armed = null;
        cut = true;
      }
      target.write(chunk);
    });
    target.on("data", (chunk) => {
      if (!cut) client.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    loseAnswerTo: (text) => {
      armed = text;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
