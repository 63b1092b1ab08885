import type { Node } from 'prosemirror-model';
import { type Command, EditorState, type Plugin, Selection, TextSelection } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { type RefObject, useEffect, useState } from 'react';
import type { Dialect } from './markdown/dialect.ts';
import { isFaithful, MarkdownText } from './markdown/markdown-text.ts';
import { schema } from './schema.ts';

export interface RichTextOptions {
  /** The text in markdown. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** The text contains something that this editor can't show unchanged: it must not be edited here. */
  onUnfit: () => void;
  dialect: Dialect;
  /** The plugins; called once. */
  plugins: () => Plugin[];
  /** The CSS class of this text, besides the common one. */
  look: string;
  attributes: Record<string, string>;
  /**
   * The text at this moment, if it can change between a render and its effects: `value` would then be older than
   * the caret.
   */
  latest?: () => string;
  /** The caret's offset in the markdown, for another editor to continue there; null: nothing was typed yet. */
  caret: RefObject<number | null>;
  /** Whether the editor takes the focus; by default it does. */
  focuses?: RefObject<boolean>;
  /** Called as soon as the text is shown and has the caret, before the next render. */
  onShown?: (view: EditorView) => void;
}

/** Attributes of the element with the text. */
export const textAttributes = (label: string, placeholder: string): Record<string, string> => ({
  role: 'textbox',
  'aria-multiline': 'true',
  'aria-label': label,
  'data-placeholder': placeholder,
  dir: 'auto',
  spellcheck: 'true',
});

/** The editor's current state and commands. */
export interface RichText {
  /** The caret's offset in the markdown. */
  offset: () => number;
  state: EditorState;
  view: EditorView;
  run: (command: Command) => void;
}

/** Replaces the document with the smallest change: the caret and unchanged parts stay. */
function become(view: EditorView, doc: EditorState['doc']): void {
  const { doc: shown, tr } = view.state;
  const start = shown.content.findDiffStart(doc.content);
  const end = shown.content.findDiffEnd(doc.content);
  if (start === null || !end) return;
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  view.dispatch(tr.replace(start, end.a + overlap, doc.slice(start, end.b + overlap)).setMeta('given', true));
}

/** Continues with another document from outside. */
function take(view: EditorView, doc: Node): void {
  // Sent or discarded text can't be restored by undo.
  if (doc.textContent === '' && doc.childCount === 1) {
    view.updateState(EditorState.create({ doc, plugins: view.state.plugins }));
    view.dispatch(view.state.tr);
    return;
  }
  become(view, doc);
  if (!view.hasFocus()) view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
}

const looks = ({ childCount, firstChild }: Node, look: string): string => {
  const isEmpty =
    childCount === 1 && firstChild?.type === schema.nodes.paragraph && firstChild.content.size === 0;
  return `rich-text ${look}${isEmpty ? ' rich-text-empty' : ''}`;
};

interface Shown {
  options: RichTextOptions;
  /** The markdown of the shown document. */
  value: string;
  text: MarkdownText;
  /** The caret has been in it. */
  wasIn: boolean;
}

/** Shows the text in the element; undefined if it contains something that can't be shown. */
function show(place: HTMLElement, now: Shown, changed: (state: EditorState) => void): EditorView | undefined {
  const { dialect, caret, latest } = now.options;
  if (latest) now.value = latest();
  if (!isFaithful(now.value, dialect)) return undefined;
  const { doc, pos } =
    caret.current === null
      ? { doc: now.text.read(now.value), pos: undefined }
      : now.text.readAt(now.value, caret.current);
  const view = new EditorView(place, {
    state: EditorState.create({ doc, plugins: now.options.plugins() }),
    attributes: ({ doc: shown }) => ({ ...now.options.attributes, class: looks(shown, now.options.look) }),
    handleDOMEvents: {
      focus: () => {
        now.wasIn = true;
        return false;
      },
    },
    dispatchTransaction(tr) {
      const next = view.state.apply(tr);
      view.updateState(next);
      changed(next);
      if (!tr.docChanged || tr.getMeta('given')) return;
      now.value = now.text.write(next.doc);
      now.options.onChange(now.value);
    },
  });
  if (pos !== undefined) {
    view.dispatch(view.state.tr.setSelection(TextSelection.near(doc.resolve(pos))).scrollIntoView());
    if (now.options.focuses?.current !== false) view.focus();
  }
  return view;
}

/**
 * A document in the element, kept in sync with its markdown both ways.
 * @returns undefined until it is ready
 */
export function useRichText(
  place: RefObject<HTMLDivElement | null>,
  options: RichTextOptions,
): RichText | undefined {
  const { value, error } = options;
  const [now] = useState(
    (): Shown => ({ options, value, text: new MarkdownText(options.dialect), wasIn: false }),
  );
  now.options = options;
  const [view, setView] = useState<EditorView>();
  const [state, setState] = useState<EditorState>();

  // A layout effect would be undone whenever a parent suspends.
  useEffect(() => {
    const created = place.current ? show(place.current, now, setState) : undefined;
    if (!created) {
      now.options.onUnfit();
      return;
    }
    setView(created);
    setState(created.state);
    now.options.onShown?.(created);
    return () => {
      const { selection, doc } = created.state;
      if (now.wasIn) now.options.caret.current = now.text.offsetOf(doc, selection.head);
      created.destroy();
    };
  }, [place, now]);

  useEffect(() => {
    if (!view || value === now.value) return;
    now.value = value;
    if (isFaithful(value, now.options.dialect)) take(view, now.text.read(value));
    else now.options.onUnfit();
  }, [view, value, now]);

  // Its attributes say so.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read through `now`
  useEffect(() => view?.setProps({}), [view, error]);

  if (!view || !state) return undefined;
  const run = (command: Command): void => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const offset = (): number => now.text.offsetOf(view.state.doc, view.state.selection.head);
  return { state, view, run, offset };
}
