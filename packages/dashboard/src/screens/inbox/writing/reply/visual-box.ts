import type { EditorView } from 'prosemirror-view';
import { REPLY } from '../../../../editor/markdown/dialect.ts';
import { readBlocks } from '../../../../editor/markdown/read.ts';
import { sliceOf } from '../../../../editor/paste/paste.ts';
import type { VisualBox } from '../text-box.ts';

/** The visual editor for code that inserts text. */
export function visualBox(view: EditorView, offset: () => number): VisualBox {
  return {
    offset,
    hasFocus: () => view.hasFocus(),
    focus: () => view.focus(),
    before() {
      const { $head } = view.state.selection;
      return $head.parent.textBetween(0, $head.parentOffset, undefined, '\n');
    },
    removeBefore(count) {
      const { head } = view.state.selection;
      view.dispatch(view.state.tr.delete(head - count, head));
    },
    insert(markdown) {
      const { blocks } = readBlocks(markdown, REPLY);
      const slice = sliceOf(blocks.map(({ node }) => node));
      view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView());
    },
    type(characters) {
      if (characters !== '') view.dispatch(view.state.tr.insertText(characters).scrollIntoView());
    },
  };
}
