import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { stringAt } from '../../core/json.ts';
import { Api } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { givenLists } from '../lists/lists.ts';
import { takeSpareDisposables } from './disposables.ts';
import { stillListed } from './still-listed.ts';
import { targetsIn } from './targets.ts';

/** A run in which the models have relationships to those that are given; without any, to none. */
function openRun(targets: readonly string[]): Api {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const related: Deployment = async (request) => {
    const answer = await deployment(request);
    if (!/\/models\?/.test(request.path) || answer.status !== 200) return answer;
    const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
    const relationships = targets.map((targetModelId) => ({ targetModelId }));
    const changed = data.map((model: object) => ({ ...model, relationships }));
    return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: changed })) };
  };
  return new Api(createSession({ deployment: related, target, clock, seed: 1, invariants: [] }), 'test');
}

async function targetsOf(api: Api): Promise<readonly string[]> {
  const isTarget = await targetsIn(api);
  return (await stillListed(api)).filter(isTarget).map(({ id }) => id);
}

test('the data sources to whose models others have relationships are known, and taken early', async () => {
  const usual = (await takeSpareDisposables(openRun([]), 3)).map(({ id }) => id);
  const api = openRun([]);
  const others = new Set((await stillListed(api)).map(({ id }) => id).filter((id) => !usual.includes(id)));
  const models = (await givenLists(api, 'listModels'))
    .filter(({ organizationId }) => organizationId === 'org_main')
    .flatMap(({ walk }) => walk.items);
  const sourceOf = (record: unknown): string => stringAt(record, 'databaseConnectionId') ?? '';
  const model = models.find(({ record }) => others.has(sourceOf(record)));
  const [modelId, sourceId] = [model?.id ?? '', sourceOf(model?.record)];
  expect(await targetsOf(api)).toEqual([]);
  expect(await targetsOf(openRun([modelId, 'unknown']))).toEqual([sourceId]);
  const taken = (await takeSpareDisposables(openRun([modelId]), 3)).map(({ id }) => id);
  expect(taken).toContain(sourceId);
});
