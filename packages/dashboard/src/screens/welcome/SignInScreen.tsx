import { SIGN_IN_REFUSALS } from '@foyer/protocol/values/sign-in/single-sign-on';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Callout } from '../../ui/States.tsx';
import { Door } from './Door.tsx';
import { setupStateQuery, useEnter } from './door-calls.ts';
import { NotSetUp } from './NotSetUp.tsx';
import { SignInForm } from './SignInForm.tsx';
import { t } from './t.ts';

const route = getRouteApi('/sign-in');
const HOME = '/app/inbox';

/** The sign-in, which then continues to the requested page. */
export function SignInScreen() {
  const { next = HOME, refused, code = false } = route.useSearch();
  const [asksCode, setAsksCode] = useState(code);
  const enter = useEnter();
  const { data } = useQuery(setupStateQuery);
  if (data?.set_up === false) return <NotSetUp />;
  const hint = /^\/app\/(inbox)?$/.test(next) ? t('sign_in_hint') : t('next_hint');
  return (
    <Door title={asksCode ? t('code_title') : t('sign_in')} intro={asksCode ? undefined : hint}>
      {refused === undefined || asksCode ? null : <Refused reason={refused} />}
      <SignInForm next={next} beginsWithCode={code} onCode={setAsksCode} onIn={() => enter(next)} />
    </Door>
  );
}

/** Why the sign-in with an identity provider failed. */
function Refused({ reason }: { reason: string }) {
  const known = SIGN_IN_REFUSALS.find((one) => one === reason);
  return (
    <div role="alert" className="mb-6">
      <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
        <p className="font-medium">{t('refused')}</p>
        <p>{t(`refused_${known ?? 'unavailable'}`)}</p>
      </Callout>
    </div>
  );
}
