import { type ClientFrame, clientFrame, SOCKET_FRAME_MAX_BYTES } from '@foyer/protocol';
import { AppError, invalidInput, issuesOf } from '../base/errors.ts';

/** @throws AppError 400: the sender gets an `error` frame, and the connection stays open */
export function readFrame(data: Buffer, isText: boolean): ClientFrame {
  if (!isText) throw new AppError('invalid_json', 'A frame must be text with one JSON object.');
  if (data.length > SOCKET_FRAME_MAX_BYTES)
    throw new AppError('payload_too_large', 'The frame is larger than 64 KiB.');
  let json: unknown;
  try {
    json = JSON.parse(data.toString('utf8'));
  } catch {
    throw new AppError('invalid_json', 'The frame isn’t valid JSON.');
  }
  const parsed = clientFrame.safeParse(json);
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  return parsed.data;
}

/** The id of a call in an invalid frame, so that its sender doesn't wait forever. */
export function callIdOf(data: Buffer): number | undefined {
  try {
    const json: unknown = JSON.parse(data.toString('utf8'));
    if (typeof json === 'object' && json !== null && 'id' in json && Number.isSafeInteger(json.id))
      return Number(json.id);
  } catch {
    // Not JSON: there is no id.
  }
  return undefined;
}
