export { type ClientOptions, createClient } from './client.ts';
export { FoyerError, type FoyerErrorCode } from './errors.ts';
export type { FoyerEvent, StreamOptions } from './stream.ts';
export type { CallOptions, FoyerClient, ItemOf, Page, RecordOf } from './types.ts';
