import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useIsAdmin, useMe } from '../../desk/DeskContext.tsx';
import { meQuery } from '../../queries.ts';
import { Section } from '../../ui/Page.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { complain, say } from '../../ui/toast-store.ts';

/** Whether pages wait for the visitor's consent; saved at once. */
export function ConsentSetting() {
  const { site } = useMe();
  const admin = useIsAdmin();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (consent: boolean) => call('site.update', { consent }),
    onSuccess: (saved) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site: saved } : me));
      say('Saved. Visitors see it within a minute.');
    },
    onError: complain,
  });
  return (
    <Section title="Privacy" intro="The chat sets no cookies on your pages.">
      <Toggle
        label="Wait for consent"
        hint="Nothing of a visitor is kept or sent until your page calls svc('boot'), or the visitor opens the chat."
        on={site.consent}
        disabled={!admin || save.isPending}
        onChange={(consent) => save.mutate(consent)}
      />
    </Section>
  );
}
