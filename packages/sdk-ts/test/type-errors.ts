import path from "node:path";
import ts from "typescript";
import { root } from "../../../scripts/lib/paths.ts";

/** What `tsc` says of programs that use the client as "tidings": by file; under "elsewhere" what is of none of them. @param types packages of @types that they may use */
export function typeErrors(files: readonly string[], types: string[] = []): Map<string, string[]> {
  const program = ts.createProgram([...files], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types,
    typeRoots: [path.join(root, "node_modules/@types")],
    paths: { tidings: [path.resolve(import.meta.dirname, "../src/index.ts")] },
  });
  const found = new Map(files.map((file) => [file, [] as string[]]));
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program))
    (found.get(file?.fileName ?? "") ??
      found.set("elsewhere", found.get("elsewhere") ?? []).get("elsewhere"))!.push(
      `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  return found;
}
