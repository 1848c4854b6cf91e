/**
 * The thread in which tenants' texts are parsed, checked and rendered (render-pool.ts starts and ends it), so that they
 * cannot block a process that delivers or answers requests. Node runs this file directly.
 */
import { parentPort } from "node:worker_threads";
import type { JobMessage, ThreadMessage, ThreadReply } from "../kernel/job-thread.ts";
import type { CompilerOutcome } from "../template-language/mjml-compiler.ts";
import { work } from "./render-work.ts";
import type { TextJob } from "./render-work.ts";

const port = parentPort;
if (!port) throw new Error("render-thread.ts is a thread's");
const say = (message: ThreadMessage) => port.postMessage(message);

/** MJML is compiled in a thread of its own, which belongs to the process. */
let told: ((outcome: CompilerOutcome) => void) | undefined;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

port.on("message", (message: JobMessage | ThreadReply) => {
  if ("told" in message) {
    told?.((message.told as CompilerOutcome | null) ?? { failed: "too_slow" });
    return;
  }
  const { id, job } = message;
  const compile = (source: string, maxCharacters: number) =>
    new Promise<CompilerOutcome>((resolve) => {
      told = resolve;
      say({ id, ask: { source, maxCharacters } });
    });
  // An error ends the thread, and the job with it.
  void work(job as TextJob, compile).then((answer) => say({ id, answer, cpuMs: cpuMs() }));
});
say({ ready: true, cpuMs: cpuMs() });
