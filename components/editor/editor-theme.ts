import type { Monaco } from "./monaco-types.ts";

export const themeName = "tidings";

let canvas: CanvasRenderingContext2D | null | undefined;

/** A token's colour as #rrggbbaa, which is all that Monaco reads; tokens themselves are oklch. */
function hexOf(token: string): string {
  canvas ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const value = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  if (!canvas || value === "") return "#808080ff";
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = value;
  canvas.fillRect(0, 0, 1, 1);
  return `#${[...canvas.getImageData(0, 0, 1, 1).data].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Draws all editors in the page's colours, light or dark. */
export function applyTheme(monaco: Monaco, dark: boolean): void {
  const hex = Object.fromEntries(tokens.map((token) => [token, hexOf(`--${token}`)])) as Record<
    Token,
    string
  >;
  const clear = (token: Token, alpha: string) => `${hex[token].slice(0, 7)}${alpha}`;
  const rule = (token: string, colour: Token, fontStyle?: string) => ({
    token,
    foreground: hex[colour].slice(1, 7),
    ...(fontStyle ? { fontStyle } : {}),
  });
  monaco.editor.defineTheme(themeName, {
    base: dark ? "vs-dark" : "vs",
    inherit: false,
    rules: [
      rule("", "ink"),
      rule("delimiter.liquid", "accent-text"),
      rule("keyword.liquid", "accent-text", "bold"),
      rule("variable.liquid", "info-text"),
      rule("function.liquid", "warning-text"),
      rule("attribute.liquid", "ink-muted"),
      rule("string.liquid", "success-text"),
      rule("number.liquid", "success-text"),
      rule("constant.liquid", "success-text"),
      rule("operator.liquid", "ink-muted"),
      rule("string.raw.liquid", "ink-muted"),
      rule("comment", "ink-faint", "italic"),
      rule("delimiter.html", "ink-faint"),
      rule("tag.html", "ink-muted", "bold"),
      rule("attribute.name.html", "ink-muted"),
      rule("attribute.value.html", "ink"),
      rule("string.escape.html", "warning-text"),
    ],
    colors: {
      foreground: hex.ink,
      focusBorder: hex.ring,
      "editor.background": hex.surface,
      "editor.foreground": hex.ink,
      "editorCursor.foreground": hex.ink,
      "editorLineNumber.foreground": hex["ink-faint"],
      "editorLineNumber.activeForeground": hex.ink,
      "editor.lineHighlightBackground": clear("hover", "80"),
      "editor.selectionBackground": hex["accent-soft"],
      "editor.inactiveSelectionBackground": hex.hover,
      "editor.wordHighlightBackground": hex.hover,
      "editor.findMatchBackground": hex["warning-soft"],
      "editor.findMatchBorder": hex.warning,
      "editor.findMatchHighlightBackground": hex["warning-soft"],
      "editorBracketMatch.background": hex["accent-soft"],
      "editorBracketMatch.border": hex.accent,
      "editorBracketHighlight.foreground1": hex["accent-text"],
      "editorError.foreground": hex.danger,
      "editorWarning.foreground": hex.warning,
      "editorInfo.foreground": hex.info,
      "editorOverviewRuler.errorForeground": hex.danger,
      "editorOverviewRuler.warningForeground": hex.warning,
      "editorOverviewRuler.border": hex.line,
      "editorIndentGuide.background1": hex.line,
      "editorIndentGuide.activeBackground1": hex["line-strong"],
      "editorWidget.background": hex.raised,
      "editorWidget.foreground": hex.ink,
      "editorWidget.border": hex.line,
      "editorHoverWidget.background": hex.raised,
      "editorHoverWidget.foreground": hex.ink,
      "editorHoverWidget.border": hex.line,
      "editorHoverWidget.statusBarBackground": hex.canvas,
      "editorSuggestWidget.background": hex.raised,
      "editorSuggestWidget.foreground": hex.ink,
      "editorSuggestWidget.border": hex.line,
      "editorSuggestWidget.selectedBackground": hex.selected,
      "editorSuggestWidget.selectedForeground": hex.ink,
      "editorSuggestWidget.highlightForeground": hex["accent-text"],
      "editorSuggestWidget.focusHighlightForeground": hex["accent-text"],
      "editorLightBulb.foreground": hex.warning,
      "input.background": hex.surface,
      "input.foreground": hex.ink,
      "input.border": hex["line-strong"],
      "inputOption.activeBackground": hex["accent-soft"],
      "inputOption.activeForeground": hex["accent-text"],
      "list.hoverBackground": hex.hover,
      "list.focusBackground": hex.selected,
      "list.focusForeground": hex.ink,
      "list.highlightForeground": hex["accent-text"],
      "menu.background": hex.raised,
      "menu.foreground": hex.ink,
      "menu.selectionBackground": hex.hover,
      "menu.selectionForeground": hex.ink,
      "quickInput.background": hex.raised,
      "scrollbar.shadow": clear("ink", "00"),
      "scrollbarSlider.background": clear("ink-faint", "40"),
      "scrollbarSlider.hoverBackground": clear("ink-faint", "66"),
      "scrollbarSlider.activeBackground": clear("ink-faint", "80"),
      "textLink.foreground": hex["accent-text"],
      "textLink.activeForeground": hex["accent-text"],
      "widget.shadow": clear("ink", dark ? "00" : "1a"),
    },
  });
  monaco.editor.setTheme(themeName);
}

const tokens = [
  "accent",
  "accent-soft",
  "accent-text",
  "canvas",
  "danger",
  "hover",
  "info",
  "info-text",
  "ink",
  "ink-faint",
  "ink-muted",
  "line",
  "line-strong",
  "raised",
  "ring",
  "selected",
  "success-text",
  "surface",
  "warning",
  "warning-soft",
  "warning-text",
] as const;
type Token = (typeof tokens)[number];
