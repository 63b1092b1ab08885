import type { FieldQuestion, PreChatQuestion } from '@foyer/protocol';
import { PRE_CHAT_ANSWER_MAX, VISITOR_NAME_MAX } from '@foyer/protocol/values/bounds';
import { preChatKey } from '@foyer/protocol/values/wire-names';
import { useState } from 'preact/hooks';
import { introduce } from '../../core/chat/introduce.ts';
import { say } from '../../strings.ts';
import { adopt } from '../../style/adopt.ts';
import style from '../../style/intro.css?inline';
import { Rich } from '../conversation/Rich.tsx';
import { useShared } from '../conversation/use-chat.ts';
import { FormError } from '../FormError.tsx';
import { EmailField, looksLikeEmail } from './EmailField.tsx';

adopt(style);

const labelOf = (field: PreChatQuestion): string => {
  const label = 'label' in field ? field.label : say(field.kind === 'name' ? 'intro_name' : 'email_label');
  return field.required ? label : say('intro_optional', { label });
};

/** Typed and chosen answers by question. */
type Answers = Record<string, string | string[]>;
type Answer = Answers[string];

const answerTo = (field: PreChatQuestion, answers: Answers): Answer => {
  const answer = answers[preChatKey(field)] ?? '';
  return typeof answer === 'string' ? answer.trim() : answer;
};

const isAttribute = (field: PreChatQuestion) => 'attribute' in field;
const isField = (field: PreChatQuestion) => 'key' in field;

const problemWith = (field: PreChatQuestion, answer: Answer): string | null => {
  if (typeof answer !== 'string') return null;
  const input = document.getElementById(`intro-${preChatKey(field)}`);
  const refused = input instanceof HTMLInputElement && isField(field) ? input.validationMessage : '';
  if (refused) return refused;
  if (answer === '') return field.required ? say('intro_missing') : null;
  return field.kind === 'email' && !looksLikeEmail(answer) ? say('email_bad') : null;
};

/** The answers by key: those to questions that have this property, of the ones that remain. */
const answered = <T extends Answer>(
  fields: readonly PreChatQuestion[],
  answers: Answers,
  of: (field: PreChatQuestion) => boolean,
): Record<string, T> =>
  Object.fromEntries(
    fields
      .filter((field) => of(field) && answerTo(field, answers).length > 0)
      .map((field) => [preChatKey(field), answerTo(field, answers) as T]),
  );
interface PreChatProps {
  /** Lets a button elsewhere submit the form; the value `person` also requests a person. */
  id: string;
  /** The chat was opened to request a person. */
  wantsPerson: boolean;
  done: (asksPerson: boolean) => void;
}

/** The site's questions before a first chat. The answers are sent with the visitor. */
export const PreChat = ({ id, wantsPerson, done }: PreChatProps) => {
  const { chat, state } = useShared();
  // The form keeps its fields even if the connection breaks and the server sends a new welcome.
  const [fields] = useState(state.preChat);
  const [answers, setAnswers] = useState<Answers>({});
  const [problems, setProblems] = useState<Record<string, string | null>>({});
  const [status, setStatus] = useState<'asking' | 'sending' | 'failed'>('asking');

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (status === 'sending') return;
    const asksPerson = event.submitter instanceof HTMLButtonElement && event.submitter.value === 'person';
    const found = fields.map((field) => [preChatKey(field), problemWith(field, answerTo(field, answers))]);
    setProblems(Object.fromEntries(found));
    const [first] = found.find(([, problem]) => problem !== null) ?? [];
    if (first) {
      document.getElementById(`intro-${first}`)?.focus();
      return;
    }
    setStatus('sending');
    try {
      await introduce(chat, {
        ...answered<string>(fields, answers, (field) => !isAttribute(field) && !isField(field)),
        attributes: answered<string>(fields, answers, isAttribute),
        fields: answered(fields, answers, isField),
      });
      done(asksPerson);
    } catch {
      setStatus('failed');
    }
  };
  return (
    <form id={id} class="intro" onSubmit={submit} noValidate>
      <h2 tabIndex={-1} data-first>
        {say('intro_title')}
      </h2>
      {fields.map((field) => (
        <Question
          key={preChatKey(field)}
          field={field}
          value={answers[preChatKey(field)] ?? ''}
          problem={problems[preChatKey(field)] ?? null}
          change={(value) => setAnswers({ ...answers, [preChatKey(field)]: value })}
        />
      ))}
      <FormError text={status === 'failed' && say('action_failed')} />
      <button type="submit" class="button" disabled={status === 'sending'}>
        {say(wantsPerson ? 'person' : 'intro_start')}
      </button>
    </form>
  );
};

/** The browser checks what is typed; the server takes links to pages alone. */
const typeOf = (field: PreChatQuestion) => {
  const type = 'input' in field ? field.input : 'text';
  return { type: type as 'text', step: 'any', pattern: type === 'url' ? 'https?://.+' : undefined };
};

interface QuestionProps {
  field: PreChatQuestion;
  value: Answer;
  problem: string | null;
  change: (value: Answer) => void;
}

const Question = ({ field, value: answer, problem, change }: QuestionProps) => {
  if (field.kind === 'choices')
    return (
      <Choices
        field={field}
        chosen={typeof answer === 'string' ? [] : answer}
        problem={problem}
        change={change}
      />
    );
  const value = String(answer);
  const id = `intro-${preChatKey(field)}`;
  const shared = {
    id,
    class: 'field',
    'aria-describedby': problem ? `${id}-problem` : undefined,
    'aria-invalid': problem !== null,
    'aria-required': field.required,
    value,
  };
  if (field.kind === 'consent')
    return <Consent field={field} shared={shared} problem={problem} change={change} />;
  return (
    <div class="intro-field">
      <label for={id} dir="auto">
        {labelOf(field)}
      </label>
      {field.kind === 'email' ? (
        <EmailField id={id} value={value} problem={problem} change={change} />
      ) : field.kind === 'choice' ? (
        <select {...shared} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">{say('intro_choose')}</option>
          {field.options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          {...typeOf(field)}
          dir="auto"
          autocomplete={field.kind === 'name' ? 'name' : 'off'}
          maxLength={field.kind === 'name' ? VISITOR_NAME_MAX : PRE_CHAT_ANSWER_MAX}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      <FormError id={`${id}-problem`} text={problem} />
    </div>
  );
};

interface ConsentProps extends Pick<QuestionProps, 'problem' | 'change'> {
  field: Extract<PreChatQuestion, { kind: 'consent' }>;
  shared: { id: string; value: string };
}

/** Something to agree to. */
const Consent = ({ field, shared, problem, change }: ConsentProps) => (
  <div class="intro-consent">
    {/* The answer is the wording: what was agreed to is what was shown. */}
    <input
      {...shared}
      class=""
      type="checkbox"
      checked={shared.value !== ''}
      onChange={({ currentTarget }) => change(currentTarget.checked ? field.label : '')}
    />
    <label for={shared.id} dir="auto">
      <Rich text={field.label} />
    </label>
    <FormError id={`${shared.id}-problem`} text={problem} />
  </div>
);

interface ChoicesProps {
  field: FieldQuestion;
  chosen: string[];
  problem: string | null;
  change: (chosen: string[] | '') => void;
}

/** A question with several answers. */
const Choices = ({ field, chosen, problem, change }: ChoicesProps) => {
  const id = `intro-${preChatKey(field)}`;
  const toggle = (option: string, isOn: boolean) => {
    const next = field.options.filter((one) => (one === option ? isOn : chosen.includes(one)));
    change(next.length > 0 ? next : '');
  };
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      class="intro-field"
      aria-describedby={problem ? `${id}-problem` : undefined}
    >
      <legend dir="auto">{labelOf(field)}</legend>
      {field.options.map((option) => (
        <label key={option} class="intro-consent" dir="auto">
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ currentTarget }) => toggle(option, currentTarget.checked)}
          />
          {option}
        </label>
      ))}
      <FormError id={`${id}-problem`} text={problem} />
    </fieldset>
  );
};
