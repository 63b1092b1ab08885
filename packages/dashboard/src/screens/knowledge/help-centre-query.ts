import { callQuery } from '../../call-queries.ts';

export const helpCentreQuery = callQuery(['help-centre'], 'help_centre.get', {});
