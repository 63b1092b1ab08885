/**
 * Everything that the bot answers from has one number: an article its id, a training row and a document a negative one,
 * even and odd.
 */
export interface SourceRef {
  readonly kind: 'article' | 'training_row' | 'document';
  readonly id: number;
}

/** The number of an article, training row or document in search results and answers. */
export function sourceIdOf({ kind, id }: SourceRef): number {
  if (kind === 'article') return id;
  return kind === 'training_row' ? -2 * id : -2 * id - 1;
}

/** The record that a number of `sourceIdOf` identifies. */
export function sourceRefOf(sourceId: number): SourceRef {
  if (sourceId > 0) return { kind: 'article', id: sourceId };
  const isRow = sourceId % 2 === 0;
  return isRow ? { kind: 'training_row', id: -sourceId / 2 } : { kind: 'document', id: (-sourceId - 1) / 2 };
}

/** The id if it identifies a record of this kind, else null. */
export function idOfKind(kind: SourceRef['kind'], sourceId: number): number | null {
  const ref = sourceRefOf(sourceId);
  return ref.kind === kind ? ref.id : null;
}
