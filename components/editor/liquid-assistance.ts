import { liquidFilters, liquidTags } from "../../server/templates/vocabulary.ts";
import { contextOf } from "./editor-context.ts";
import { describeVariable } from "./describe-variable.ts";
import { languageId, languages } from "./liquid-language.ts";
import { placeAt, variableUses, wordAt } from "./liquid-scan.ts";
import { locateFinding } from "./locate-finding.ts";
import type { CompletionItem, Monaco, TextModel } from "./monaco-types.ts";

const ids = languages.map(languageId);

/** Completion, explanations and corrections for all Liquid texts of the page. */
export function registerAssistance(monaco: Monaco): void {
  registerCompletion(monaco);
  registerHover(monaco);
  registerCorrections(monaco);
}

function registerCompletion(monaco: Monaco): void {
  const { CompletionItemKind } = monaco.languages;
  monaco.languages.registerCompletionItemProvider(ids, {
    triggerCharacters: ["{", "|", "%", " "],
    provideCompletionItems(model, position) {
      const text = model.getValue();
      const offset = model.getOffsetAt(position);
      const place = placeAt(text, offset);
      if (!place) return { suggestions: [] };
      const range = monaco.Range.fromPositions(model.getPositionAt(place.start), position);
      // `{{` and `{%` want a space on both sides.
      const lead = /[{%|-]$/.test(text.slice(0, place.start)) ? " " : "";
      const trail = closing(text, place.open, offset);
      const item = (
        label: string,
        kind: CompletionItem["kind"],
        detail: string,
        documentation: string | undefined,
        sortText: string,
      ): CompletionItem => ({
        label,
        kind,
        detail,
        documentation,
        // The cursor waits where the rest of the tag goes.
        insertText:
          withArguments.has(label) && kind === CompletionItemKind.Keyword
            ? `${lead}${label} $0${trail}`
            : `${lead}${label}${trail}`,
        insertTextRules: monaco.languages.CompletionItemInsertTextRule.InsertAsSnippet,
        filterText: label,
        sortText,
        range,
      });
      if (place.wants === "filter") {
        const suggestions = Object.entries(liquidFilters).map(([name, does]) =>
          item(name, CompletionItemKind.Function, "Filter", does, name),
        );
        return { suggestions };
      }
      if (place.wants === "tag") {
        const words = { ...liquidTags, ...closings(text.slice(0, place.open)) };
        const suggestions = Object.entries(words)
          .filter(([name]) => name !== "#")
          .map(([name, does]) =>
            item(name, CompletionItemKind.Keyword, "Tag", does, `${name in liquidTags ? "1" : "0"}${name}`),
          );
        return { suggestions };
      }
      const { variables } = contextOf(model);
      const suggestions = variables
        .filter((variable) => variable.name !== "")
        .map((variable) =>
          item(
            variable.name,
            CompletionItemKind.Variable,
            `${variable.type}${variable.required ? ", required" : ""}`,
            variable.example === "" ? undefined : `Example: ${variable.example}`,
            variable.name,
          ),
        );
      return { suggestions };
    },
  });
}

const withArguments = new Set("assign capture case if unless for elsif when".split(" "));

/** What is missing between a completed word and the closing brace that the editor wrote by itself. */
function closing(text: string, open: number, offset: number): string {
  const rest = text.slice(offset, offset + 2);
  if (rest.startsWith("%}") || rest.startsWith("-")) return " ";
  if (!rest.startsWith("}")) return "";
  return text.startsWith("{%", open) ? " %" : " ";
}

/** The tags that may follow in the innermost block that is still open. */
function closings(before: string): Record<string, string> {
  const open: string[] = [];
  for (const match of before.matchAll(/\{%-?\s*(end)?(if|unless|case|for|capture|comment|raw)\b/g)) {
    if (match[1]) open.pop();
    else if (match[2]) open.push(match[2]);
  }
  const block = open.at(-1);
  if (block === undefined) return {};
  const further: Record<string, Record<string, string>> = {
    if: { elsif: "Otherwise, when something else holds", else: "Otherwise" },
    unless: { else: "Otherwise" },
    case: { when: "When it is this value", else: "Otherwise" },
    for: { else: "When the list is empty" },
  };
  return { [`end${block}`]: `Ends ${block}`, ...further[block] };
}

function registerHover(monaco: Monaco): void {
  monaco.languages.registerHoverProvider(ids, {
    provideHover(model, position) {
      const offset = model.getOffsetAt(position);
      const word = wordAt(model.getValue(), offset);
      if (!word) return null;
      const said = explain(model, word.wants, word.word, word.start);
      if (said === null) return null;
      const range = monaco.Range.fromPositions(
        model.getPositionAt(word.start),
        model.getPositionAt(word.end),
      );
      // Examples are people's text: not trusted, no HTML, and shown as code so that nothing in them is markup.
      return { range, contents: said.map((value) => ({ value, isTrusted: false, supportHtml: false })) };
    },
  });
}

function explain(model: TextModel, wants: string, word: string, start: number): string[] | null {
  if (wants === "filter") {
    const does = Object.hasOwn(liquidFilters, word) ? liquidFilters[word] : undefined;
    return does === undefined ? null : [`Filter \`${word}\``, does];
  }
  if (wants === "tag") {
    const does = Object.hasOwn(liquidTags, word) ? liquidTags[word] : undefined;
    return does === undefined ? null : [`Tag \`${word}\``, does];
  }
  const variable = contextOf(model).variables.find((each) => each.name === word);
  if (variable) return describeVariable(variable);
  const isRead = variableUses(model.getValue()).some((use) => use.start === start);
  return isRead ? [`\`${word}\` is not declared. Declare it under Variables.`] : null;
}

function registerCorrections(monaco: Monaco): void {
  monaco.languages.registerCodeActionProvider(ids, {
    provideCodeActions(model, range, { markers }) {
      const { findings } = contextOf(model);
      const text = model.getValue();
      const actions = findings.flatMap((finding) => {
        const { suggestion } = finding;
        const place = suggestion === null ? null : locateFinding(finding, text);
        if (suggestion === null || !place) return [];
        const at = monaco.Range.fromPositions(
          model.getPositionAt(place.start),
          model.getPositionAt(place.end),
        );
        if (!monaco.Range.areIntersectingOrTouching(at, range)) return [];
        const shown = suggestion.length > 60 ? `${suggestion.slice(0, 57)}…` : suggestion;
        return [
          {
            title: suggestion === "" ? "Remove it" : `Use “${shown}”`,
            kind: "quickfix",
            isPreferred: true,
            diagnostics: markers.filter((marker) => marker.message.startsWith(finding.explanation)),
            edit: {
              edits: [
                {
                  resource: model.uri,
                  versionId: model.getVersionId(),
                  textEdit: { range: at, text: suggestion },
                },
              ],
            },
          },
        ];
      });
      return { actions, dispose: () => undefined };
    },
  });
}
