/**
 * The thread in which MJML is compiled (mjml-compiler.ts starts and ends it): hostile input can make the compiler busy
 * for seconds, which must never be the seconds of a process that answers requests. Node runs this file itself.
 */
import { parentPort } from "node:worker_threads";
import mjml2html from "mjml";
import type { MjmlError } from "mjml";

export interface MjmlJob {
  id: number;
  source: string;
  /** Characters of HTML that are still welcome; more is answered as `too_long`. */
  maxCharacters: number;
}

export type MjmlAnswer =
  | { id: number; html: string; errors: Pick<MjmlError, "line" | "message" | "tagName">[] }
  | { id: number; failed: "too_long" | "too_deep" | "not_mjml" };

async function compile({ id, source, maxCharacters }: MjmlJob): Promise<MjmlAnswer> {
  try {
    const { html, errors } = await mjml2html(source, {
      // The compiler's own list would have every mail that names Roboto ask Google for it, which tells Google who reads.
      fonts: {},
      // Notes of the author are nobody else's; what stands in mj-text and mj-raw is kept as it is.
      keepComments: false,
      minify: false,
      ignoreIncludes: true,
      validationLevel: "soft",
    });
    if (html.length > maxCharacters) return { id, failed: "too_long" };
    return {
      id,
      html,
      errors: errors.slice(0, 50).map(({ line, message, tagName }) => ({ line, message, tagName })),
    };
  } catch (error) {
    return { id, failed: error instanceof RangeError ? "too_deep" : "not_mjml" };
  }
}

parentPort?.on("message", (job: MjmlJob) => {
  void compile(job).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage("ready");
