import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api.ts';

interface SaveOptions<F, R> {
  /** Sends the values. Its errors are shown by the fields and by `FormError`. */
  save: (values: F) => Promise<R>;
  /** Called after a successful save with the sent values. */
  onSaved?: (result: R, values: F) => unknown;
  onFailed?: (error: Error) => unknown;
  /** The path of the values in the operation's input (`survey`), if not the top. */
  path?: string;
}

/** `stored` follows the server; `initial` is read once, for something that is created or entered. */
type FormOptions<F, R> = SaveOptions<F, R> &
  ({ stored: F; initial?: never } | { initial: F; stored?: never });

type KeyOf<F, T> = { [K in keyof F]-?: F[K] extends T ? K : never }[keyof F] & string;

interface Change<T> {
  target: T;
}

/** What the parts of a form need from it, whatever its values. */
export interface FormState {
  dirty: boolean;
  saving: boolean;
  error: Error | null;
  /** The error of the last save, unless fields show all of it. Call it after the fields are rendered. */
  unshownError: () => Error | null;
  save: () => void;
  /** For `<form onSubmit>`. */
  submit: (event: { preventDefault: () => void }) => void;
  /** Drops changes and errors. */
  discard: () => void;
}

/** A form as `useForm` returns it. */
export interface Form<F extends object, R = unknown> extends FormState {
  values: F;
  set: (change: Partial<F>) => void;
  /** The result of the last successful save. */
  saved: R | undefined;
  /** The server's error for a field or a part of it. Calling it marks the path as shown by a field. */
  issue: (path: string) => string | undefined;
  /**
   * Drops the result of the last save once it no longer fits the values, for example after editing an invalid line.
   */
  reset: () => void;
  /** Props of a text field or a choice of texts; `path` if the input has another name for it. */
  text: (key: KeyOf<F, string>, path?: string) => TextProps;
  /** Props of a choice of numbers. */
  number: (key: KeyOf<F, number>) => NumberProps;
  checkbox: (key: KeyOf<F, boolean>) => CheckboxProps;
}

/** The props that `text` returns, for fields that are components of their own. */
export interface TextProps {
  value: string;
  error: string | undefined;
  onChange: (event: Change<{ value: string }>) => void;
}

interface NumberProps {
  value: number;
  onChange: (event: Change<{ value: string }>) => void;
}

interface CheckboxProps {
  checked: boolean;
  onChange: (event: Change<{ checked: boolean }>) => void;
}

/**
 * The draft, saving and errors of one form. With `stored` values it only keeps the fields changed here, so that a
 * colleague's change of another field shows and isn't overwritten. A successful save drops them, except what was
 * typed meanwhile.
 */
export function useForm<F extends object, R>(options: FormOptions<F, R>): Form<F, R> {
  const [initial] = useState(options.initial);
  const [written, setWritten] = useState<Partial<F>>({});
  const start = { ...(options.stored ?? initial) } as F;
  const values: F = { ...start, ...written };
  const mutation = useMutation({
    mutationFn: (sent: { values: F; written: Partial<F> }) => options.save(sent.values),
    onSuccess: async (result, sent) => {
      await options.onSaved?.(result, sent.values);
      if (options.stored) setWritten((now) => (now === sent.written ? {} : now));
    },
    onError: (error) => options.onFailed?.(error),
  });
  const { error } = mutation;
  const shown = new Set<string>();
  const issue = (path: string): string | undefined => {
    shown.add(path);
    return error instanceof ApiError ? error.issueWithin(path) : undefined;
  };
  const set = (change: Partial<F>): void => setWritten((before) => ({ ...before, ...change }));
  const save = (): void => mutation.mutate({ values, written });
  // The keys of each kind have values of that kind, which TypeScript can't follow through a mapped type.
  const put = (key: string, value: unknown): void => set({ [key]: value } as Partial<F>);
  return {
    values,
    set,
    dirty: JSON.stringify(values) !== JSON.stringify(start),
    saving: mutation.isPending,
    saved: mutation.data,
    error,
    unshownError: () => (error instanceof ApiError && error.isOnlyOf([...shown]) ? null : error),
    issue,
    reset: mutation.reset,
    save,
    submit: (event) => {
      event.preventDefault();
      save();
    },
    discard: () => {
      setWritten({});
      mutation.reset();
    },
    text: (key, path = options.path ? `${options.path}.${key}` : key) => ({
      value: values[key] as string,
      error: issue(path),
      onChange: ({ target }) => put(key, target.value),
    }),
    number: (key) => ({
      value: values[key] as number,
      onChange: ({ target }) => put(key, Number(target.value)),
    }),
    checkbox: (key) => ({
      checked: values[key] as boolean,
      onChange: ({ target }) => put(key, target.checked),
    }),
  };
}
