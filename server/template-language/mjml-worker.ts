/**
 * The thread in which MJML is compiled (mjml-compiler.ts starts and ends it): hostile input can keep the compiler busy
 * for seconds, which must not block a process that answers requests. Node runs this file directly.
 */
import { parentPort } from "node:worker_threads";
import mjml2html from "mjml";
import type { MjmlError } from "mjml";

export interface MjmlJob {
  source: string;
  /** The longest HTML that is accepted; more is answered as `too_long`. */
  maxCharacters: number;
}

export type MjmlAnswer =
  | { html: string; errors: Pick<MjmlError, "line" | "message" | "tagName">[] }
  | { failed: "too_long" | "too_deep" | "not_mjml" };

async function compile({ source, maxCharacters }: MjmlJob): Promise<MjmlAnswer> {
  try {
    const { html, errors } = await mjml2html(source, {
      // The compiler's own list would have every mail that names Roboto load it from Google, which tells Google who
      // reads.
      fonts: {},
      // The author's comments are not for recipients; the content of mj-text and mj-raw is kept as it is.
      keepComments: false,
      minify: false,
      ignoreIncludes: true,
      validationLevel: "soft",
    });
    if (html.length > maxCharacters) return { failed: "too_long" };
    return {
      html,
      errors: errors.slice(0, 50).map(({ line, message, tagName }) => ({ line, message, tagName })),
    };
  } catch (error) {
    return { failed: error instanceof RangeError ? "too_deep" : "not_mjml" };
  }
}

/** As JobThread counts it. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

parentPort?.on("message", ({ id, job }: { id: number; job: MjmlJob }) => {
  void compile(job).then((answer) => parentPort?.postMessage({ id, answer, cpuMs: cpuMs() }));
});
parentPort?.postMessage({ ready: true, cpuMs: cpuMs() });
