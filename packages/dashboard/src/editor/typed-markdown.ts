import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import type { MarkType } from 'prosemirror-model';
import { type Plugin, TextSelection } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import type { Dialect } from './markdown/dialect.ts';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

/** `**word**` when it is closed; `pattern` matches what precedes it, and the words. */
const closed = (pattern: RegExp, type: MarkType): InputRule =>
  new InputRule(
    pattern,
    (state, [whole, before = '', words = ''], from, to) => {
      const size = (whole.length - before.length - words.length) / 2;
      const start = from + before.length;
      if (state.doc.rangeHasMark(start, to, marks.code)) return null;
      // The last character was typed but isn't in the document yet.
      return state.tr
        .delete(to - (size - 1), to)
        .delete(start, start + size)
        .addMark(start, start + words.length, type.create())
        .removeStoredMark(type);
    },
    { inCodeMark: false },
  );

const typedLink = ({ follows }: Dialect): InputRule =>
  new InputRule(
    /\[([^[\]]+)\]\(([^\s()]+)\)$/,
    (state, [, words = '', href = ''], from, to) =>
      follows(href)
        ? state.tr
            .replaceWith(from, to, schema.text(words, [marks.link.create({ href })]))
            .removeStoredMark(marks.link)
        : null,
    { inCodeMark: false },
  );

const typedHeading = textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, ([, marks = '']) => ({
  level: marks.length,
}));

/** `---` on a line of its own; typing continues below it. */
const typedRule = new InputRule(/^(?:---|\*\*\*|___)$/, (state, _match, from) => {
  const $from = state.doc.resolve(from);
  if (isInTable(state) || $from.parent.type !== nodes.paragraph) return null;
  const { tr } = state;
  tr.replaceWith($from.before(), $from.after(), [nodes.rule.create(), nodes.paragraph.create()]);
  return tr.setSelection(TextSelection.near(tr.doc.resolve($from.before() + 2)));
});

/** Turns typed markdown into formatting; Backspace right afterwards undoes that. */
export const typedMarkdown = (dialect: Dialect): Plugin =>
  inputRules({
    rules: [
      ...(dialect.hasHeadings ? [typedHeading] : []),
      textblockTypeInputRule(/^```$/, nodes.code_block),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      wrappingInputRule(/^\s*[-*+]\s$/, nodes.bullet_list),
      wrappingInputRule(
        /^(\d{1,9})[.)]\s$/,
        nodes.ordered_list,
        ([, start]) => ({ start: Number(start) }),
        ([, start], before) => before.childCount + before.attrs.start === Number(start),
      ),
      closed(/(^|[^*])\*\*([^\s*](?:[^*]*[^\s*])?)\*\*$/, marks.strong),
      closed(/(^|[^\p{L}\p{N}_])__([^\s_](?:[^_]*[^\s_])?)__$/u, marks.strong),
      closed(/(^|[^*])\*([^\s*](?:[^*]*[^\s*])?)\*$/, marks.em),
      closed(/(^|[^\p{L}\p{N}_])_([^\s_](?:[^_]*[^\s_])?)_$/u, marks.em),
      closed(/(^|[^~])~~([^\s~](?:[^~]*[^\s~])?)~~$/, marks.strike),
      closed(/(^|[^`])`([^`]+)`$/, marks.code),
      typedLink(dialect),
      typedRule,
    ],
  });
