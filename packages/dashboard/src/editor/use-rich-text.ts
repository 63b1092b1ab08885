import type { Node } from 'prosemirror-model';
import { type Command, EditorState, TextSelection } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { type RefObject, useEffect, useState } from 'react';
import { isFaithful, MarkdownText } from './markdown/markdown-text.ts';
import { plugins } from './plugins.ts';
import { schema } from './schema.ts';
import type { Upload } from './uploads.ts';

export interface RichTextOptions {
  /** Markdown. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** The text has what this editor can't show as it is: it must not be changed here. */
  onUnfit: () => void;
  upload: Upload;
  attributes: Record<string, string>;
  /** Where the caret is in the markdown, for another editor of it to go on there; null: nobody has written yet. */
  caret: RefObject<number | null>;
}

/** What the editor shows now, and what can be done with it. */
export interface RichText {
  state: EditorState;
  view: EditorView;
  run: (command: Command) => void;
}

/** The least change that makes the shown document another: the caret and what was not changed stay. */
function become(view: EditorView, doc: EditorState['doc']): void {
  const { doc: shown, tr } = view.state;
  const start = shown.content.findDiffStart(doc.content);
  const end = shown.content.findDiffEnd(doc.content);
  if (start === null || !end) return;
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  view.dispatch(tr.replace(start, end.a + overlap, doc.slice(start, end.b + overlap)).setMeta('given', true));
}

const looks = ({ childCount, firstChild }: Node): string => {
  const isEmpty =
    childCount === 1 && firstChild?.type === schema.nodes.paragraph && firstChild.content.size === 0;
  return `rich-text article-text${isEmpty ? ' rich-text-empty' : ''}`;
};

function goTo(view: EditorView, index: number): void {
  const { doc } = view.state;
  let pos = 0;
  for (let at = 0; at < Math.min(index, doc.childCount - 1); at += 1) pos += doc.child(at).nodeSize;
  view.dispatch(view.state.tr.setSelection(TextSelection.near(doc.resolve(pos))).scrollIntoView());
  view.focus();
}

interface Shown {
  options: RichTextOptions;
  /** The markdown of what is shown. */
  value: string;
  text: MarkdownText;
  /** Somebody has had the caret in it. */
  wasIn: boolean;
}

/** Shows the text in the place; undefined where it has what can't be shown. */
function show(place: HTMLElement, now: Shown, changed: (state: EditorState) => void): EditorView | undefined {
  if (!isFaithful(now.value)) return undefined;
  const doc = now.text.read(now.value);
  const view = new EditorView(place, {
    state: EditorState.create({ doc, plugins: plugins((file) => now.options.upload(file)) }),
    attributes: ({ doc: shown }) => ({ ...now.options.attributes, class: looks(shown) }),
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
  const { current: caret } = now.options.caret;
  if (caret !== null) goTo(view, now.text.indexAt(doc, caret));
  return view;
}

/**
 * A document in the place, kept in step with its markdown both ways.
 * @returns undefined until it is there
 */
export function useRichText(
  place: RefObject<HTMLDivElement | null>,
  options: RichTextOptions,
): RichText | undefined {
  const { value, error } = options;
  const [now] = useState((): Shown => ({ options, value, text: new MarkdownText(), wasIn: false }));
  now.options = options;
  const [view, setView] = useState<EditorView>();
  const [state, setState] = useState<EditorState>();

  // A layout effect would be undone whenever something around waits for its words.
  useEffect(() => {
    const created = place.current ? show(place.current, now, setState) : undefined;
    if (!created) {
      now.options.onUnfit();
      return;
    }
    setView(created);
    setState(created.state);
    return () => {
      const { selection, doc } = created.state;
      if (now.wasIn) now.options.caret.current = now.text.offsetOf(doc, selection.$head.index(0));
      created.destroy();
    };
  }, [place, now]);

  useEffect(() => {
    if (!view || value === now.value) return;
    now.value = value;
    if (isFaithful(value)) become(view, now.text.read(value));
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
  return { state, view, run };
}
