import { isUniqueViolation } from '../../base/errors.ts';

/** An error of the SCIM protocol (RFC 7644, 3.12). */
export class ScimProblem extends Error {
  readonly status: number;
  readonly scimType:
    | 'invalidFilter'
    | 'invalidPath'
    | 'invalidSyntax'
    | 'invalidValue'
    | 'uniqueness'
    | undefined;

  constructor(status: number, scimType: ScimProblem['scimType'], detail: string) {
    super(detail);
    this.name = 'ScimProblem';
    this.status = status;
    this.scimType = scimType;
  }
}

/** @throws ScimProblem 409 with this detail for a name that another record has */
export async function unique<T>(write: Promise<T>, detail: string): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ScimProblem(409, 'uniqueness', detail);
  }
}
