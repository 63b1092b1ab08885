import { PLACEHOLDERS, type Placeholder } from '@foyer/protocol/values/macro-text';
import { Braces } from 'lucide-react';
import { Button } from '../../../ui/Button.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { t } from './t.ts';

const WORDS = {
  'visitor.name': 'var_visitor_name',
  'visitor.email': 'var_visitor_email',
  'ticket.id': 'var_ticket_id',
  'ticket.subject': 'var_ticket_subject',
  'agent.name': 'var_agent_name',
  'site.name': 'var_site_name',
} as const satisfies Record<Placeholder, string>;

/** The variables of a macro's text. */
export const VariableMenu = ({ onInsert }: { onInsert: (variable: string) => void }) => (
  <Menu
    label={t('variable_insert')}
    align="start"
    trigger={
      <Button small look="quiet" icon={<Braces aria-hidden className="size-4" />}>
        {t('variable_insert')}
      </Button>
    }
    items={PLACEHOLDERS.map((name) => ({
      label: t(WORDS[name]),
      onSelect: () => onInsert(`{{${name}}}`),
    }))}
  />
);
