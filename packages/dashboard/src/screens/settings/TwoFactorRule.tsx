import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useIsAdmin, useMe } from '../../desk/DeskContext.tsx';
import { meQuery } from '../../queries.ts';
import { Section } from '../../ui/Page.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { complain, say } from '../../ui/toast-store.ts';

/** Whether everybody of the team needs a code to sign in. */
export function TwoFactorRule() {
  const { agent, site } = useMe();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (two_factor_required: boolean) => call('site.update', { two_factor_required }),
    onSuccess: (saved) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site: saved } : me));
      say(
        saved.two_factor_required ? 'Everybody needs a code now.' : 'A code is each agent’s own choice now.',
      );
    },
    onError: (error) => complain('The rule was not changed', error),
  });
  const admin = useIsAdmin();
  return (
    <Section title="Signing in">
      <Toggle
        label="Require two-factor sign-in"
        hint={
          agent.two_factor || site.two_factor_required
            ? 'Who has not set it up is asked to at once, and can do nothing else before.'
            : 'Set up your own first, under Account.'
        }
        on={site.two_factor_required}
        disabled={!admin || save.isPending || !(agent.two_factor || site.two_factor_required)}
        onChange={(on) => save.mutate(on)}
      />
    </Section>
  );
}
