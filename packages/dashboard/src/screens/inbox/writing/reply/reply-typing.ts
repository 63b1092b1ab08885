import { type EditorState, Plugin } from 'prosemirror-state';
import type { RefObject } from 'react';
import { schema } from '../../../../editor/schema.ts';
import { isMacroSlash } from '../macros/macro-slash.ts';
import type { TextBoxProps } from '../TextBox.tsx';

/** A line break or image within the block counts as a space. */
const LEAF = '\n';

function asksForMacro({ selection: { $from, empty }, storedMarks }: EditorState): boolean {
  const { parent, parentOffset } = $from;
  const isCode = parent.type.spec.code || schema.marks.code.isInSet(storedMarks ?? $from.marks());
  if (!empty || isCode) return false;
  const before = parent.textBetween(0, parentOffset, undefined, LEAF);
  const after = parent.textBetween(parentOffset, parent.content.size, undefined, LEAF);
  return isMacroSlash(`${before}/`, after);
}

/** A reply's keys that don't edit: sending, leaving, and opening the macros. */
export const replyTyping = (on: RefObject<Pick<TextBoxProps, 'onSend' | 'onSlash'>>): Plugin =>
  new Plugin({
    props: {
      handleKeyDown(view, event) {
        if (event.key === 'Escape') view.dom.blur();
        if (event.key !== 'Enter' || event.isComposing || !(event.ctrlKey || event.metaKey)) return false;
        on.current.onSend(event.shiftKey);
        return true;
      },
      handleTextInput(view, _from, _to, typed) {
        if (typed !== '/' || !asksForMacro(view.state)) return false;
        view.dispatch(view.state.tr.insertText('/').scrollIntoView());
        on.current.onSlash();
        return true;
      },
    },
  });
