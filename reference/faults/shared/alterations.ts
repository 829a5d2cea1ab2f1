import type { OutageKind } from '../../../core/outages.ts';
import type { Operation } from '../../../spec/requirement.ts';
import type { Json, JsonObject } from '../../http/json.ts';
import type { RefusalKind, Request } from '../../http/request.ts';
import type { Roles } from '../../rules/access.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Altered, Fault } from '../../variation.ts';
import type { When } from './requests.ts';

const always: When = () => true;

/** Refusals of that kind have another status. */
export function refusedWith(status: number, kind: RefusalKind, when = always): Fault['alter'] {
  return (rules) => ({
    refusalStatus: (refused, request) =>
      refused === kind && when(request) ? status : rules.refusalStatus(refused, request),
  });
}

/** Refusals of that kind have another title. */
export function titled(title: string, kind: RefusalKind): Fault['alter'] {
  return (rules) => ({
    refusalTitle: (refused, status, request) =>
      refused === kind ? title : rules.refusalTitle(refused, status, request),
  });
}

/** Refusals of that kind have another detail. */
export function detailed(detail: Json, ...kinds: readonly RefusalKind[]): Fault['alter'] {
  return (rules) => ({
    refusalDetail: (refused, request) => (kinds.includes(refused) ? detail : rules.refusalDetail(refused, request)),
  });
}

/** Refusals of that kind have another body. */
export function refusedAs(body: (request: Request) => Json, kind: RefusalKind, when = always): Fault['alter'] {
  return (rules) => ({
    errorBody: (error, refused, request) =>
      refused === kind && when(request) ? body(request) : rules.errorBody(error, refused, request),
  });
}

/** Refusals of that kind, or of all, have more fields in their error. */
export function refusedWithFields(fields: JsonObject, kind?: RefusalKind): Fault['alter'] {
  return () => ({
    error: (error, _request, refused) => (kind === undefined || refused === kind ? { ...fields, ...error } : error),
  });
}

/** Responses that such an outage interrupts are never finished. */
export function endless(outage: OutageKind): Fault['alter'] {
  return (rules) => ({
    finishesAfterOutage: (message, now, kind) =>
      kind === outage ? Number.POSITIVE_INFINITY : rules.finishesAfterOutage(message, now, kind),
  });
}

/** Several alterations at once. */
export function together(...alterations: readonly Fault['alter'][]): Fault['alter'] {
  return (rules) => alterations.reduce<Altered>((all, alter) => ({ ...all, ...alter({ ...rules, ...all }) }), {});
}

/** An operation is allowed to callers who lack the role. */
export function alsoAllowed(operation: Operation, when: (request: Request, roles: Roles) => boolean): Fault['alter'] {
  return (rules) => ({
    allowed: (roles, request) =>
      (request.operation === operation && when(request, roles)) || rules.allowed(roles, request),
  });
}

/** An operation is refused to callers who have the role. */
export function deniedTo(operation: Operation, when: When = always): Fault['alter'] {
  return (rules) => ({
    allowed: (roles, request) => !(request.operation === operation && when(request)) && rules.allowed(roles, request),
  });
}

/** Requests that are refused in that way are carried out. */
export function carriedOut(kind: RefusalKind, when = always): Fault['alter'] {
  return () => ({ carriedOut: (acts, request, why) => acts || (why.kind === kind && when(request)) });
}

/** A deletion that is refused in that way leaves the data source and removes its models. */
export function losingModels(kind: RefusalKind): Fault['alter'] {
  return () => {
    const emptied = new Set<string>();
    return {
      onRefused: (why, request) => {
        if (why.kind === kind && request.operation === 'deleteDataSource') emptied.add(request.ids.sourceId);
      },
      models: (all) => all.filter(({ sourceId }) => !emptied.has(sourceId)),
    };
  };
}

/** Deleted data sources are listed again, without a mark. */
export function undeleted(
  isBack: (id: string, request: Request, deletedAtMs: number) => boolean,
): (rules: Rules) => Pick<Rules, 'deletedListed' | 'deletedMark'> {
  return (rules) => ({
    deletedListed: (source, deletedAt, request) =>
      isBack(source.id, request, deletedAt) || rules.deletedListed(source, deletedAt, request),
    deletedMark: (record, deletedAt, request) =>
      isBack(String(record['id']), request, Date.parse(deletedAt))
        ? record
        : rules.deletedMark(record, deletedAt, request),
  });
}

/** Alters the answers to repeated requests. */
export function onRepetitions(alter: (isRepetition: When, rules: Rules) => Altered): Fault['alter'] {
  return (rules) => {
    const turns = new Set<number>();
    return {
      onRepeated: (_exchange, { turn }) => void turns.add(turn),
      ...alter(({ turn }) => turns.has(turn), rules),
    };
  };
}

/** retryAfterMs has another value than the milliseconds until the window resets. */
export function retrying(change: (ms: number, request: Request) => number): Fault['alter'] {
  return () => ({ retryAfterMs: (_shown, request, ms) => change(ms, request) });
}
