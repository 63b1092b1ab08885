import type { Plan, SiteSettings } from '@foyer/protocol';
import type { Command } from 'commander';
import { processingRecord } from '../retention/processing-record.ts';
import { recordText } from '../retention/record-text.ts';
import { audited } from '../sites/audit/audited.ts';
import { createSite, getSite, listSites, presentSite, setPlan } from '../sites/sites.ts';
import { answers, answersList } from './answer.ts';
import { planOption, siteOption } from './option-values.ts';
import { addSiteArchiveCommands } from './site-archive-commands.ts';
import { withWorkplace } from './workplace.ts';

const described = (site: SiteSettings): string =>
  `Site ${site.id}: ${site.name} (${site.plan} plan)\nPublic key: ${site.public_key}`;

/** Fixed widths, so that rows can be printed while they are read: only names vary in length. */
const columns = (id: string, plan: string, key: string, name: string): string =>
  `${id.padEnd(8)}${plan.padEnd(9)}${key.padEnd(27)}${name}`;

/** Adds `site` with its commands, including the archive's. `set-plan` is recorded in the site's audit log. */
export function addSiteCommands(foyer: Command): void {
  const site = foyer.command('site').description('create, list, export and import sites');

  answers<{ name: string; plan?: Plan }>(
    site
      .command('create')
      .description('create a site')
      .requiredOption('--name <name>', 'name that visitors see')
      .addOption(planOption('plan of the site (default: FOYER_PLAN, else growth)')),
    (input) =>
      withWorkplace(async ({ config, database: { db } }) => {
        const { id } = await createSite(db, { ...input, plan: input.plan ?? config.plan });
        const data = presentSite(await getSite(db, id));
        return { data, words: described(data) };
      }),
  );

  answersList<SiteSettings>(site.command('list').description('list all sites, oldest first'), (write) =>
    withWorkplace(({ database: { db } }) =>
      write({
        name: 'sites',
        items: listSites(db),
        head: columns('ID', 'PLAN', 'PUBLIC KEY', 'NAME'),
        line: ({ id, name, plan, public_key }) => columns(String(id), plan, public_key, name),
        none: 'No sites yet.',
      }),
    ),
  );

  answers<{ site: number; plan: Plan }>(
    site
      .command('set-plan')
      .description('change the plan of a site')
      .addOption(siteOption())
      .addOption(planOption().makeOptionMandatory()),
    (input) =>
      withWorkplace(async ({ siteContext }) => {
        const ctx = await siteContext(input.site);
        const what = { subject: 'site', action: 'site.set_plan' } as const;
        const data = await audited(ctx, what, (tx) => setPlan(tx, input.plan));
        return { data, words: described(data) };
      }),
  );

  answers<{ site: number }>(
    site
      .command('processing-record')
      .description('print which personal data a site keeps, why, how long, and who gets it')
      .addOption(siteOption()),
    (input) =>
      withWorkplace(async ({ siteContext }) => {
        const ctx = await siteContext(input.site);
        const data = await processingRecord(ctx);
        return { data, words: recordText(data, ctx.now()).trimEnd() };
      }),
  );
  addSiteArchiveCommands(site);
}
