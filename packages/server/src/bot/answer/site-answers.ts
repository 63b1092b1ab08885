import type { SiteContext } from '../../core/context.ts';
import { withoutCourtesy } from '../../intents/courtesy.ts';
import { type Decision, type Lookup, lookUpAnswer, NEAR_COMPARED } from './answer.ts';

type Asking<Result> = (question: string, previousQuestion?: string) => Promise<Result>;

/** Looks answers up in the site's published knowledge as it is now, by words and, where there are vectors, by meaning. */
export async function lookupOf({ services, site }: SiteContext): Promise<Asking<Lookup>> {
  const index = await services.indexes.indexOf(site.id);
  return async (question, previousQuestion) => {
    const near = await services.vectors?.nearest(site.id, withoutCourtesy(question), NEAR_COMPARED);
    return lookUpAnswer(index, question, { previousQuestion, near });
  };
}

/** As `lookupOf`, without what it was decided by. */
export async function answererOf(ctx: SiteContext): Promise<Asking<Decision>> {
  const lookUp = await lookupOf(ctx);
  return async (...question) => (await lookUp(...question)).decision;
}
