import { CircleAlert } from 'lucide-react';
import { ApiError } from '../api.ts';
import { tCommon } from '../t-common.ts';
import { Button } from './Button.tsx';
import { CopyText } from './Copy.tsx';
import { cx } from './classes.ts';

interface ErrorNoteProps {
  error: Error;
  /** What failed, as a title. */
  title?: string;
  onRetry?: () => void;
  className?: string;
}

/** An error in words; with the request id to copy if the server failed. */
export function ErrorNote({ error, title, onRetry, className }: ErrorNoteProps) {
  const requestId = error instanceof ApiError ? error.reference : '';
  const issues = error instanceof ApiError ? error.issues : [];
  return (
    <div
      role="alert"
      className={cx('flex gap-3 rounded-lg border border-danger-line bg-danger-ground p-3', className)}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger-text" />
      <div className="min-w-0 flex-1">
        {title ? <p className="font-medium text-danger-text">{title}</p> : null}
        <p className="wrap-anywhere">{error.message}</p>
        {issues.length > 0 ? (
          <ul className="mt-1 list-disc ps-4">
            {issues.map((issue) => (
              <li key={issue.path + issue.message}>
                {issue.path ? `${issue.path}: ` : ''}
                {issue.message}
              </li>
            ))}
          </ul>
        ) : null}
        {requestId ? (
          <p className="mt-1 flex items-center gap-1 text-soft text-xs">
            {tCommon.rich('request', { id: <CopyText text={requestId} label={tCommon('request_copy')} /> })}
          </p>
        ) : null}
        {onRetry ? (
          <Button small className="mt-2" onClick={onRetry}>
            {tCommon('retry')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
