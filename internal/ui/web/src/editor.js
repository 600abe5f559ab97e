// The editor of an object. It lives in a shadow root: the styles that it brings are
// then sheets of its own, and the pages need not allow styles in their markup.
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, drawSelection, highlightActiveLine, highlightSpecialChars } from "@codemirror/view";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { yaml } from "@codemirror/lang-yaml";
import { tags } from "@lezer/highlight";
import { complete } from "./complete.js";

// theme takes the colors of the page, which reach into a shadow root by their names.
const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--ground)", border: "1px solid var(--line)", borderRadius: "6px", height: "100%", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--focus)" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--quiet)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--demand-soft)" },
  ".cm-tooltip": { color: "var(--text)", backgroundColor: "var(--raised)", border: "1px solid var(--line)", maxWidth: "28rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--focus)", color: "var(--ground)" },
  ".cm-completionDetail": { color: "var(--quiet)", fontStyle: "normal" },
  ".cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
});

const colors = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--strong)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null, tags.content], color: "var(--text)" },
]);

// edit puts an editor into an element.
export function edit(element, { text, schema, label, onChange }) {
  const root = element.attachShadow({ mode: "open" });
  const view = new EditorView({
    root, parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [lineNumbers(), highlightSpecialChars(), history(), drawSelection(), indentUnit.of("  "), indentOnInput(), bracketMatching(),
        highlightActiveLine(),
        yaml(), syntaxHighlighting(colors), autocompletion({ icons: false, override: schema ? [complete(schema)] : [] }), lintGutter(), theme,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }), EditorView.updateListener.of((u) => { if (u.docChanged) onChange(); }),
        keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab])],
    }),
  });
  const line = (n) => view.state.doc.line(Math.min(Math.max(n, 1), view.state.doc.lines));
  return {
    text: () => view.state.doc.toString(),
    set: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    // find puts the cursor on a line.
    find: (n) => { view.dispatch({ selection: { anchor: line(n).from }, scrollIntoView: true }); view.focus(); },
    mark: (findings) => view.dispatch(setDiagnostics(view.state, findings.filter((f) => f.line > 0).map((f) => {
      const at = line(f.line), begin = at.from + (at.text.length - at.text.trimStart().length);
      return { from: begin, to: Math.max(at.to, begin), severity: f.severity, message: [f.path, f.message, f.fix].filter(Boolean).join("\n") };
    }))),
    close: () => view.destroy(),
    // view is for tests.
    view,
  };
}
