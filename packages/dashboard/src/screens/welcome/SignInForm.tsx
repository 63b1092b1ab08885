import { Link } from '@tanstack/react-router';
import { signIn } from '../../account.ts';
import { FormError } from '../../forms/FormError.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/forms/Field.tsx';
import { CodeForm } from './CodeForm.tsx';
import { t } from './t.ts';

interface SignInFormProps {
  onCode: (asked: boolean) => void;
  onIn: () => void;
  /** The page below must stay: "Forgot password" opens in a new tab. */
  keepPage?: boolean;
}

/** Asks for email and password, and leads to the second step if there is one. */
export function SignInForm({ onCode, onIn, keepPage = false }: SignInFormProps) {
  const form = useForm({
    initial: { email: '', password: '' },
    save: ({ email, password }) => signIn(email.trim(), password),
    onSaved: (wantsCode) => {
      if (wantsCode) onCode(true);
      else onIn();
    },
  });
  if (form.saved) {
    return (
      <CodeForm
        onIn={onIn}
        onAgain={() => {
          onCode(false);
          form.set({ password: '' });
          form.reset();
        }}
      />
    );
  }
  return (
    <form onSubmit={form.submit} className="space-y-4">
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        required
        autoFocus
        {...form.text('email')}
      />
      <TextField
        label={t('password')}
        type="password"
        autoComplete="current-password"
        required
        {...form.text('password')}
      />
      <FormError form={form} />
      <Button type="submit" look="primary" className="w-full" busy={form.saving}>
        {form.saving ? t('signing_in') : t('sign_in')}
      </Button>
      <p className="text-center text-sm">
        <Link
          to="/forgot-password"
          {...(keepPage && { target: '_blank' })}
          className="font-medium text-accent-text underline"
        >
          {t('forgot_password')}
        </Link>
      </p>
    </form>
  );
}
