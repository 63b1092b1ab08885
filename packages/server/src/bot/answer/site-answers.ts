import type { SiteContext } from '../../core/context.ts';
import { withoutCourtesy } from '../../intents/courtesy.ts';
import type { Near, PassageVectors } from '../../knowledge/search/vectors/passage-vectors.ts';
import { type Decision, type Lookup, lookUpAnswer, NEAR_COMPARED, textsCompared } from './answer.ts';

type Asking<Result> = (question: string, previousQuestion?: string) => Promise<Result>;

/** Looks answers up in the site's published knowledge as it is now, by words and, where there are vectors, by meaning. */
export async function lookupOf({
  services,
  site,
}: Pick<SiteContext, 'services' | 'site'>): Promise<Asking<Lookup>> {
  const index = await services.indexes.indexOf(site.id);
  return async (question, previousQuestion) => {
    const near = await nearTexts(services.vectors, site.id, question, previousQuestion);
    return lookUpAnswer(index, question, { previousQuestion, near });
  };
}

/**
 * A provider gets the question alone, because each text costs a request; what is near it also counts for its parts. The
 * encoder reads each text.
 */
async function nearTexts(
  vectors: PassageVectors | undefined,
  siteId: number,
  question: string,
  previousQuestion: string | undefined,
): Promise<((text: string) => Near | undefined) | undefined> {
  if (vectors === undefined) return undefined;
  const nearest = (text: string): Promise<Near> => vectors.nearest(siteId, text, NEAR_COMPARED);
  if (!vectors.isLocal) {
    const near = await nearest(withoutCourtesy(question));
    return () => near;
  }
  const texts = textsCompared(question, previousQuestion);
  const near = new Map(await Promise.all(texts.map(async (text) => [text, await nearest(text)] as const)));
  return (text) => near.get(text);
}

/** As `lookupOf`, without what it was decided by. */
export async function answererOf(ctx: SiteContext): Promise<Asking<Decision>> {
  const lookUp = await lookupOf(ctx);
  return async (...question) => (await lookUp(...question)).decision;
}
