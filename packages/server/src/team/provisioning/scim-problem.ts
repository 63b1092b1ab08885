/** An error of the SCIM protocol (RFC 7644, 3.12). */
export class ScimProblem extends Error {
  readonly status: number;
  readonly scimType: 'invalidFilter' | 'invalidSyntax' | 'invalidValue' | 'uniqueness' | undefined;

  constructor(status: number, scimType: ScimProblem['scimType'], detail: string) {
    super(detail);
    this.name = 'ScimProblem';
    this.status = status;
    this.scimType = scimType;
  }
}
