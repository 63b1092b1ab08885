import type { SiteContext } from '../../core/context.ts';
import { withoutCourtesy } from '../../intents/small-talk.ts';
import { answerFrom, type Decision, NEAR_COMPARED } from './answer.ts';

type Answerer = (question: string, previousQuestion?: string) => Promise<Decision>;

/** Answers from the site's published knowledge as it is now, found by words and, where there are vectors, by meaning. */
export async function answererOf({ services, site }: SiteContext): Promise<Answerer> {
  const index = await services.indexes.indexOf(site.id);
  return async (question, previousQuestion) => {
    const near = await services.vectors?.nearest(site.id, withoutCourtesy(question), NEAR_COMPARED);
    return answerFrom(index, question, { previousQuestion, near });
  };
}
