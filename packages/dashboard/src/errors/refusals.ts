import type { DeskErrorBody, DeskIssue } from '@foyer/protocol';
import { wordsAreThere } from '../language.ts';

export type Refusal = Pick<DeskErrorBody, 'code' | 'message' | 'reason' | 'values' | 'issues'>;

interface RefusalInWords {
  message: string;
  issues: readonly DeskIssue[];
}

/**
 * The server's errors in the agent's language. The words are loaded with the first error; if they can't be, the
 * server's own are better than none.
 */
export async function inWords({ issues = [], ...error }: Refusal): Promise<RefusalInWords> {
  try {
    const { errorSentence, issuesInWords } = await import('./error-words.ts');
    await wordsAreThere();
    return { message: errorSentence(error), issues: issuesInWords(issues) };
  } catch {
    return { message: error.message, issues };
  }
}
