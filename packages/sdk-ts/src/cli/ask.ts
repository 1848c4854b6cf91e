import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { UsageError } from "./usage-error.ts";

interface AskOptions {
  /** What is typed is not shown. */
  secret?: boolean;
  input?: NodeJS.ReadableStream;
  show?: (text: string) => void;
}

/** Asks at a terminal. Ctrl-C and Ctrl-D end the command. */
export async function ask(
  question: string,
  {
    secret = false,
    input = process.stdin,
    show = (text) => {
      process.stderr.write(text);
    },
  }: AskOptions = {},
): Promise<string> {
  let hidden = false;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!hidden) show(chunk.toString());
      done();
    },
  });
  const terminal = createInterface({ input, output, terminal: true });
  try {
    const answer = new Promise<string>((resolve, reject) => {
      terminal.once("close", () => reject(new UsageError("", 130)));
      terminal.question(question).then(resolve, () => undefined);
    });
    hidden = secret;
    return (await answer).trim();
  } finally {
    terminal.close();
    if (secret) show("\n");
  }
}
