/** What is wrong with nested conditions, and where. */
export interface ConditionIssue {
  path: (string | number)[];
  message: string;
}

export type Fields = Record<string, unknown>;
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A language of conditions: which groups it has, how deep they nest, and what a single condition may be. */
export interface ConditionLanguage {
  groups: readonly string[];
  depth: number;
  max: number;
  conditionIssues(value: Fields): ConditionIssue[];
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

export const tooManyConditions = (max: number): string => `must have at most ${max} conditions`;

function partIssues(language: ConditionLanguage, part: unknown, depth: number): ConditionIssue[] {
  if (!isFields(part)) return [{ path: [], message: 'must be an object' }];
  if (!language.groups.some((name) => name in part)) return language.conditionIssues(part);
  return depth > language.depth
    ? [{ path: [], message: `must be nested at most ${language.depth} deep` }]
    : groupIssues(language, part, depth);
}

/** All issues of a group and its parts, down to the maximum depth. */
function groupIssues(language: ConditionLanguage, value: Fields, depth: number): ConditionIssue[] {
  const { groups, max } = language;
  const [name = '', ...others] = Object.keys(value);
  if (others.length > 0) {
    const either = groups.length === 2 ? `either ${listed(groups)}` : `one of ${listed(groups)}`;
    return [{ path: [], message: `must have ${either}, and nothing else` }];
  }
  const parts = value[name];
  if (!Array.isArray(parts)) return [{ path: [name], message: 'must be a list' }];
  if (parts.length === 0) return [{ path: [name], message: 'must have at least one condition' }];
  if (parts.length > max) return [{ path: [name], message: tooManyConditions(max) }];
  return parts.flatMap((part: unknown, at) =>
    partIssues(language, part, depth + 1).map((issue) => ({ ...issue, path: [name, at, ...issue.path] })),
  );
}

/** All issues of nested conditions, which begin with a group. */
export function nestedIssues(language: ConditionLanguage, value: unknown): ConditionIssue[] {
  const { groups } = language;
  if (!isFields(value) || !groups.some((name) => name in value))
    return [{ path: [], message: `must be an object with ${listed(groups)}` }];
  return groupIssues(language, value, 1);
}

interface ZodIssues {
  issues: readonly {
    code?: string | undefined;
    keys?: readonly string[];
    path: readonly PropertyKey[];
    message: string;
  }[];
}

/** The issues of one condition as its schema reports them; an unknown field is named. */
export const schemaIssues = (error: ZodIssues | undefined): ConditionIssue[] =>
  (error?.issues ?? []).flatMap((issue): ConditionIssue[] =>
    issue.code === 'unrecognized_keys'
      ? (issue.keys ?? []).map((key) => ({ path: [key], message: 'isn’t a known field' }))
      : [
          {
            path: issue.path.map((step) => (typeof step === 'number' ? step : String(step))),
            message: issue.message,
          },
        ],
  );
