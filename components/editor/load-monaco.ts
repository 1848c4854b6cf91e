import { loader } from "@monaco-editor/react";
import { applyTheme } from "./editor-theme.ts";
import { registerAssistance } from "./liquid-assistance.ts";
import { registerLanguages } from "./liquid-language.ts";
import type { Monaco } from "./monaco-types.ts";

let loading: Promise<Monaco> | undefined;

/** Monaco with our languages and colours, loaded once a page. A failed load may be tried again. */
export function loadMonaco(): Promise<Monaco> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Monaco> {
  const { monaco, startWorker } = await import("./monaco.ts");
  // Otherwise the wrapper would fetch another Monaco from elsewhere.
  loader.config({ monaco });
  globalThis.MonacoEnvironment = { getWorker: startWorker };
  registerLanguages(monaco);
  registerAssistance(monaco);
  const page = document.documentElement;
  const paint = () => applyTheme(monaco, page.dataset.theme === "dark");
  paint();
  new MutationObserver(paint).observe(page, { attributeFilter: ["data-theme"] });
  return monaco;
}
