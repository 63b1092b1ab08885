import { Link } from '@tanstack/react-router';
import { TEMPLATE_NAMES, templateOf } from './templates.ts';
import { useRuleWords } from './use-rule-words.ts';

/** Rules to begin with, each as a sentence. */
export function TemplateList() {
  const { sentence } = useRuleWords();
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {TEMPLATE_NAMES.map((template) => {
        const rule = templateOf(template);
        return rule ? (
          <li key={template}>
            <Link
              to="/settings/rules/$id"
              params={{ id: 'new' }}
              search={{ template }}
              className="block h-full rounded-lg border p-4 hover:border-control hover:bg-hover"
            >
              <span className="block font-medium">{rule.name}</span>
              <span className="wrap-anywhere block text-soft">{sentence(rule)}</span>
            </Link>
          </li>
        ) : null;
      })}
    </ul>
  );
}
