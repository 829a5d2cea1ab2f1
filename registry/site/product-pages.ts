import { factList, section, tableHead, tableSection } from '../../reports/page/elements.ts';
import { Markup, markup } from '../../reports/page/markup.ts';
import type { CheckRecord, RequirementRecord } from '../../reports/record/record.ts';
import { badge } from '../../reports/run/badge.ts';
import { renderHtml } from '../../reports/run/page/html.ts';
import { errataNotes } from '../../reports/run/page/requirement-list.ts';
import { timeline } from '../../reports/run/page/timeline.ts';
import { verdictMark } from '../../reports/run/page/verdict-mark.ts';
import { areaOf } from '../../spec/areas.ts';
import { catalogueByArea } from '../../spec/catalogue.ts';
import type { Certified } from '../judge-submission.ts';
import { pathOf } from '../submission.ts';
import { type Entry, folderOfEntry, type Product, productName, requirementsOf, validity } from './entry.ts';
import { type SiteFile, sitePage, toneOf, validityMark } from './frame.ts';

/** The pages of a certificate that depend on nothing else: its report, its badge, and the evidence of each area. */
export function evidencePages(certified: Certified, entry: Entry, builtOn: string): readonly SiteFile[] {
  const folder = folderOfEntry(entry);
  const byArea = Map.groupBy(requirementsOf(certified.record), ({ id }) => areaOf(id));
  return [
    { path: `${folder}/report.html`, text: renderHtml(certified.record) },
    { path: `${folder}/badge.svg`, text: renderRegistryBadge(entry) },
    ...Object.keys(catalogueByArea).map((area) =>
      areaPage(area, byArea.get(area) ?? [], { certified, entry, builtOn }),
    ),
  ];
}

function areaPage(
  area: string,
  requirements: readonly RequirementRecord[],
  { certified, entry, builtOn }: { readonly certified: Certified; readonly entry: Entry; readonly builtOn: string },
): SiteFile {
  const checks = new Map(certified.record.checks.map((check) => [check.id, check]));
  const items = requirements.map((requirement) => {
    const own = requirement.checks.flatMap((id) => checks.get(id) ?? []);
    return markup`<li class="requirement"${anchor(requirement.id)}>${verdictMark(requirement.verdict)}
<div><h3 class="sentence">${requirement.sentence}</h3><p class="meta"><code>${requirement.id}</code> <span>${requirement.level}, section ${requirement.section}</span></p>
${requirement.reason === undefined ? undefined : markup`<p class="note">${requirement.reason}</p>`}${errataNotes(requirement.id)}
${own.map((check) => evidenceOf(check, certified, entry.suite))}</div></li>`;
  });
  const name = productName(entry.submission);
  return sitePage({
    path: `${folderOfEntry(entry)}/${area}.html`,
    title: area,
    eyebrow: name,
    tone: toneOf(entry),
    sentence: markup`The evidence of each requirement: the first and the last exchange of each check. <a href="index.html">All of ${name}</a>`,
    builtOn,
    content: section(
      { id: 'requirements', title: 'Requirements', count: items.length },
      markup`<ul class="plain">${items}</ul>`,
    ),
  });
}

/** Only an id of the catalogue becomes an anchor: a bundle of another suite may have any text there. */
function anchor(id: string): Markup | undefined {
  const isKnown = Object.values(catalogueByArea).some((own) => own.some((requirement) => requirement.id === id));
  return isKnown ? markup` id="${id}"` : undefined;
}

function evidenceOf(check: CheckRecord, { evidence, isJudged }: Certified, suite: string): Markup {
  const { id, verdict, expected, actual } = check;
  const exchanges = check.exchanges.length > 0 ? check.exchanges : (evidence.get(id) ?? []);
  const missing = isJudged
    ? 'It judged answers that other checks requested.'
    : `Version ${suite} of the suite can show it.`;
  const found =
    expected === undefined ? undefined : markup`<p class="reason">Expected ${expected}; got ${actual ?? 'nothing'}</p>`;
  return markup`<details class="evidence"><summary>${verdictMark(verdict)} <code>${id}</code></summary>
${found}${timeline(exchanges) ?? markup`<p class="note">No exchange of its own. ${missing}</p>`}</details>`;
}

/** The page of a certified version: what it covers, what was judged, and the history of the product. */
export function productPage(entry: Entry, { versions }: Product, builtOn: string): SiteFile {
  const { submission, place } = entry;
  const folder = folderOfEntry(entry);
  const root = '../'.repeat(folder.split('/').length);
  const isMail = !submission.contact.startsWith('https://');
  const rows = versions.map(
    (
      version,
    ) => markup`<tr><th scope="row">${version === entry ? markup`${version.submission.version}` : markup`<a href="${root}${folderOfEntry(version)}/index.html">${version.submission.version}</a>`}</th>
<td>${version.day}</td><td>${version.revision}</td><td>${version.suite}</td><td>${validityMark(version)}</td></tr>`,
  );
  return sitePage({
    path: `${folder}/index.html`,
    title: productName(submission),
    eyebrow: `Certified by revision ${entry.revision}`,
    tone: toneOf(entry),
    sentence: `${validity(entry).replace(/^./, (letter) => letter.toUpperCase())}. ${entry.isJudged ? '' : 'Its report says: '}${entry.sentence}`,
    builtOn,
    content: [
      markup`<p class="lead">${new Markup(renderRegistryBadge(entry))}</p>`,
      factList([
        ['Date of the run', entry.day],
        ['Deployment', entry.target],
        [
          'Suite',
          entry.isJudged ? `${entry.suite}, judged again` : `${entry.suite}; only this version can judge it again`,
        ],
        ['Signed with the key', entry.key],
        ['In the registry', pathOf(place)],
      ]),
      markup`<p class="lead"><a href="${submission.website}" rel="nofollow noreferrer">${submission.website}</a>, contact
<a href="${isMail ? 'mailto:' : ''}${submission.contact}" rel="nofollow noreferrer">${submission.contact}</a>. <a href="report.html">The whole report</a>,
<a href="badge.svg">the badge</a></p>`,
      areaSection(entry),
      tableSection(
        { id: 'history', title: 'Versions', count: versions.length },
        'history',
        markup`${tableHead(['Version', 'Date', 'Revision', 'Suite', 'Certificate'])}<tbody>${rows}</tbody>`,
      ),
    ],
  });
}

function areaSection(entry: Entry): Markup {
  const rows = Object.entries(catalogueByArea).map(([area, requirements]) => {
    const verdicts = requirements.flatMap(({ id }) => entry.verdicts.get(id) ?? []);
    const amount = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
    return markup`<tr><th scope="row"><a href="${area}.html">${area}</a></th><td class="number">${amount('passed')}</td>
<td class="number">${amount('warned')}</td><td class="number">${amount('unobservable')}</td></tr>`;
  });
  const head = tableHead(['Area', 'Passed', 'Warned', 'Unobservable'], 1);
  const lead = 'Each area leads to the evidence of its requirements.';
  return tableSection({ id: 'areas', title: 'Areas', lead }, 'areas', markup`${head}<tbody>${rows}</tbody>`);
}

/** The badge of a certificate. It contains no text of the vendor. */
function renderRegistryBadge({ revision, day, state }: Entry): string {
  const certified = `Certified by revision ${revision} on ${day}`;
  const text = state === 'expired' ? 'expired' : `revision ${revision}, ${day}`;
  const title = {
    valid: certified,
    unjudged: `${certified} with another version of the suite, and not judged again`,
    expired: `The certificate of ${day} has expired`,
  }[state];
  return badge({ label: 'certified', text, title, color: state === 'valid' ? '#10653a' : '#48525f' });
}
