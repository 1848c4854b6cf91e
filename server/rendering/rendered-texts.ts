import type { RenderedText } from "../content-checks/checks.ts";
import { MappedText, MappedTextWriter } from "../content-checks/normalise.ts";
import { buildScope, parseText, renderPieces } from "../template-language/liquid-engine.ts";
import type { RenderedPiece } from "../template-language/liquid-engine.ts";
import type { CompiledVersion } from "../template-language/render.ts";
import { trialValues } from "../template-language/trial-values.ts";

const settings = { locale: "en", timezone: "UTC" };

/**
 * What Liquid makes of a version's texts with the examples of its variables, with and without the optional ones, and
 * where each character comes from. A body in MJML is rendered as it was written. Texts that cannot be rendered are left
 * out: saves refuse them for that.
 */
export function renderedTexts({ content, parts }: CompiledVersion): RenderedText[] {
  const declared = new Set(content.variables.map(({ name }) => name));
  const found: RenderedText[] = [];
  for (const { pointer, source: compiled, parsed: ofCompiled } of parts.values()) {
    const isBody = pointer === "/body" && content.compiledBody !== null;
    const source = isBody ? content.body : compiled;
    if (!source.includes("{")) continue;
    const before = new Set<string>();
    for (const values of trialValues(content.variables).usual) {
      try {
        const parsed = isBody ? parseText(source, "html") : ofCompiled;
        const pieces = renderPieces(parsed, source, buildScope(content.variables, values, settings));
        const rendered = joinPieces(pieces, pointer, source, declared);
        if (before.has(rendered.text.text)) continue;
        before.add(rendered.text.text);
        found.push(rendered);
      } catch {
        // The trial render says why.
      }
    }
  }
  return found;
}

function joinPieces(
  pieces: readonly RenderedPiece[],
  pointer: string,
  source: string,
  declared: ReadonlySet<string>,
): RenderedText {
  const writer = new MappedTextWriter();
  const whole = new MappedText(source);
  const examples: { start: number; end: number }[] = [];
  for (const { output, begin, end, literal } of pieces) {
    // White space may have been trimmed.
    const at = literal ? source.slice(begin, end).indexOf(output) : -1;
    if (at >= 0) writer.copy(whole, begin + at, begin + at + output.length);
    else writer.write(output, begin, end);
    const names = literal ? [] : (source.slice(begin, end).match(/[A-Za-z][A-Za-z0-9_]{0,63}/g) ?? []);
    if (names.some((name) => declared.has(name))) examples.push({ start: begin, end });
  }
  return { pointer, source, text: writer.done(), examples };
}
