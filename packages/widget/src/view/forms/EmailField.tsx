import { EMAIL_MAX } from '@foyer/protocol/values/bounds';
import { CallError } from '../../core/connection/calls.ts';
import { say } from '../../strings.ts';

/** A rough check. The server decides. */
export const looksLikeEmail = (text: string): boolean =>
  /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text.trim());

/** Whether the address was refused, or something else failed. */
export const emailProblem = (error: unknown): string =>
  say(error instanceof CallError && error.code === 'invalid_input' ? 'email_bad' : 'action_failed');

interface EmailFieldProps {
  id: string;
  value: string;
  problem: string | null;
  change: (value: string) => void;
}

export const EmailField = ({ id, value, problem, change }: EmailFieldProps) => (
  <input
    id={id}
    class="field"
    type="email"
    inputMode="email"
    autocomplete="email"
    dir="ltr"
    maxLength={EMAIL_MAX}
    placeholder="name@example.com"
    aria-label={say('email_label')}
    aria-describedby={problem ? `${id}-problem` : undefined}
    aria-invalid={problem !== null}
    value={value}
    onInput={(event) => change(event.currentTarget.value)}
  />
);
