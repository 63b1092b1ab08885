import type { EvaluationOutcome, EvaluationTally, Expectation, RuleHours } from '@foyer/protocol';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Default<T> = ColumnType<T, T | undefined, T>;

interface HandoffRules {
  site_id: number;
  id: Generated<number>;
  name: string;
  words: Default<string[]>;
  pages: Default<string[]>;
  segment_ids: Default<number[]>;
  hours: Default<RuleHours>;
  disabled_at: Date | null;
  created_at: Date;
}

interface QuestionSets {
  site_id: number;
  id: Generated<number>;
  name: string;
  created_at: Date;
}

interface SetQuestions {
  site_id: number;
  id: Generated<number>;
  set_id: number;
  question: string;
  question_key: string;
  expects: Expectation;
  article_id: number | null;
  conversation_id: number | null;
  created_at: Date;
}

interface Evaluations {
  site_id: number;
  id: Generated<number>;
  set_id: number;
  agent_id: number | null;
  knowledge_version: number;
  total: number;
  done: Default<number>;
  tally: JSONColumnType<EvaluationTally, string, string>;
  finished_at: Date | null;
  cancelled_at: Date | null;
  created_at: Date;
}

interface EvaluationResults {
  site_id: number;
  evaluation_id: number;
  position: number;
  question_id: number;
  question: string;
  expects: Expectation;
  expected_title: string | null;
  outcome: EvaluationOutcome;
  kind: string;
  answer: string | null;
  article_id: number | null;
  article_title: string | null;
  confidence: number | null;
}

interface Gaps {
  site_id: number;
  id: Generated<number>;
  question: string;
  terms: string[];
  asked: Default<number>;
  last_asked_at: Date;
  dismissed_at: Date | null;
  dismissed_by: number | null;
  solved_at: Date | null;
  solved_article_id: number | null;
  created_at: Date;
}

interface GapTerms {
  site_id: number;
  term: string;
  gap_id: number;
}

interface GapQuestions {
  site_id: number;
  id: Generated<number>;
  conversation_id: number;
  seq: number;
  question: string;
  asked_at: Date;
  gap_id: number | null;
}

interface CopilotDays {
  site_id: number;
  agent_id: number;
  day: string;
  uses: number;
}

export interface BotTables {
  handoff_rules: HandoffRules;
  question_sets: QuestionSets;
  set_questions: SetQuestions;
  evaluations: Evaluations;
  evaluation_results: EvaluationResults;
  gaps: Gaps;
  gap_terms: GapTerms;
  gap_questions: GapQuestions;
  copilot_days: CopilotDays;
}
