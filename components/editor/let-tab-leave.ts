import type { CodeEditor, Monaco } from "./monaco-types.ts";

/** Tab indents, but after Escape it goes on to the next control, so that nobody is kept in the editor. */
export function letTabLeave(monaco: Monaco, editor: CodeEditor): void {
  let leaving = false;
  const set = (next: boolean) => {
    if (leaving === next) return;
    leaving = next;
    editor.updateOptions({ tabFocusMode: next });
  };
  editor.onKeyDown(({ keyCode }) => {
    const { Tab, Shift, Escape } = monaco.KeyCode;
    if (keyCode === Escape) {
      // That Escape closes the list or the search first.
      const widget = editor.getDomNode()?.querySelector(".suggest-widget.visible, .find-widget.visible");
      set(!widget);
    } else if (keyCode !== Tab && keyCode !== Shift) set(false);
  });
  editor.onDidBlurEditorText(() => set(false));
}
