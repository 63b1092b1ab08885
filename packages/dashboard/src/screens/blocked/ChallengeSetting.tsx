import { CHALLENGES, type Challenges } from '@foyer/protocol/values/wire-names';
import { oneOf } from '../../address-search.ts';
import { useMay, useMe } from '../../desk/DeskContext.tsx';
import { SelectField } from '../../ui/forms/Field.tsx';
import { Section } from '../../ui/Page.tsx';
import { useSiteChange } from '../settings/use-site-form.ts';
import { t } from './t.ts';

/** When browsers solve a challenge before they create a visitor or a chat; saved immediately. */
export function ChallengeSetting() {
  const { site } = useMe();
  const admin = useMay('site');
  const save = useSiteChange({ done: () => t('challenges_saved'), failed: t('challenges_failed') });
  const change = (challenges: Challenges | undefined): void => {
    if (challenges) save.mutate({ challenges });
  };
  return (
    <Section title={t('challenges')} intro={t('challenges_intro')}>
      <SelectField
        label={t('challenges_when')}
        frame="max-w-80"
        hint={t(`challenges_${site.challenges}_hint`)}
        options={CHALLENGES.map((value) => ({ value, label: t(`challenges_${value}`) }))}
        value={site.challenges}
        disabled={!admin || save.isPending}
        onChange={({ target }) => change(oneOf(target.value, CHALLENGES))}
      />
    </Section>
  );
}
