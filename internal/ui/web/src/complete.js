// Completion of YAML by a schema: which field a line is in is read from its
// indentation, so that it works while the document is not yet whole.

const shape = /^(\s*)((?:-\s+)*)(?:([\w.\/-]+):(?:\s+(.*))?)?/;

// place reads a line: where its key begins, where its first dash is, and its key.
function place(text) {
  const [, spaces, dashes, key, value] = shape.exec(text);
  return { column: spaces.length + dashes.length, dash: dashes ? spaces.length : -1, key, value };
}

// path is the keys that lead to the mapping that a line is in.
export function path(lines, row) {
  const here = place(lines[row]);
  let limit = here.dash >= 0 ? here.dash + 1 : here.column;
  const keys = [];
  for (let r = row - 1; r >= 0 && limit > 0; r--) {
    if (!lines[r].trim() || lines[r].trim().startsWith("#")) continue;
    const at = place(lines[r]);
    if (at.dash >= 0 && at.column === limit) limit = at.dash + 1;
    else if (at.column < limit && at.key) {
      keys.unshift(at.key);
      limit = at.dash >= 0 ? at.dash + 1 : at.column;
    }
  }
  return keys;
}

const inside = (node) => (node?.items ? inside(node.items) : node);

// find is the part of the schema that some keys lead to.
export const find = (schema, keys) => keys.reduce((node, key) => inside(node)?.properties?.[key] ?? inside(node)?.additionalProperties, schema);

// first is the first sentence of a description, which is enough in a list.
const first = (text) => (text ?? "").split(/(?<=\.)\s/)[0];

const kind = (node) => (node.enum ? node.enum.join(" | ") : node.type ?? "");

// complete is the source of completions of an editor.
export function complete(schema) {
  return (context) => {
    const line = context.state.doc.lineAt(context.pos), before = line.text.slice(0, context.pos - line.from);
    const lines = context.state.doc.toString().split("\n").slice(0, line.number);
    const value = /^(\s*(?:-\s+)*)([\w.\/-]+):\s+([\w.\/-]*)$/.exec(before);
    lines[lines.length - 1] = before;
    const node = inside(find(schema, path(lines, line.number - 1)));
    if (value) {
      const of = node?.properties?.[value[2]];
      const words = of?.enum ?? (of?.type === "boolean" ? [true, false] : of?.default !== undefined ? [of.default] : []);
      const options = words.map((w) => ({ label: String(w), type: "constant", info: first(of.description) }));
      return options.length ? { from: context.pos - value[3].length, options } : null;
    }
    const key = /^(\s*(?:-\s+)*)([\w.\/-]*)$/.exec(before);
    if (!key || !node?.properties || (!key[2] && !context.explicit && !/-\s+$/.test(key[1]))) return null;
    const indent = " ".repeat(key[1].length);
    return {
      from: context.pos - key[2].length,
      options: Object.entries(node.properties).map(([name, p]) => ({
        label: name, type: "property", detail: kind(p), info: p.description, boost: node.required?.includes(name) ? 1 : 0,
        apply: name + (p.type === "object" ? `:\n${indent}  ` : p.type === "array" ? `:\n${indent}- ` : ": "),
      })),
      validFor: /^[\w.\/-]*$/,
    };
  };
}
