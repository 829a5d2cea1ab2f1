import { realClock } from '../../../core/clock.ts';
import type { ContentionLoad, Profile } from '../../profile/profile.ts';
import type { Fact, LoadRecord } from '../../../reports/load/load-record.ts';
import { wholeLoad } from '../../schedule/arrivals.ts';
import { buildRecord } from '../../judge/build-record.ts';
import { openChats } from '../../schedule/chat-turns.ts';
import { watchGenerator } from '../../measure/generator-watch.ts';
import { createMeasurement } from '../../measure/measurement.ts';
import { type LoadOptions, runIdOf } from '../run-load.ts';
import { openSockets } from '../../engine/sockets.ts';
import { tellProgress } from '../../measure/tell-progress.ts';
import { startValidator } from '../../validate/validator.ts';
import { isAccepted, write, type WriterOptions } from './chat-writer.ts';
import { raceForChat } from './race-for-chat.ts';
import { storm } from './storm.ts';
import { writeInTurns } from './write-in-turns.ts';

const connectTimeoutMs = 10_000;
const judgingPatienceMs = 5000;
/** How often somebody looks whether a chat has become idle. */
const lookMs = 500;

/** Many writers on few chats, a race for an idle one, and a storm with one key. */
export async function runContention(
  profile: Profile & { readonly load: ContentionLoad },
  options: LoadOptions,
): Promise<LoadRecord> {
  const { target, seed, signal } = options;
  const { writers, chats: wanted, storm: requests, durationMs } = profile.load;
  const chats = openChats(target).slice(0, wanted);
  const [first] = chats;
  const measurement = createMeasurement(durationMs);
  const validator = await startValidator(profile.validate, seed);
  const sockets = openSockets(target.baseUrl, Math.max(writers, requests), connectTimeoutMs);
  const startAt = performance.now();
  const use = watchGenerator();
  const stopTelling = tellProgress(options.onProgress, { startAt, plannedMs: durationMs, measurement, validator });
  const writing: WriterOptions = {
    target,
    sockets,
    measurement,
    startAt,
    listener: validator.offer,
    signal,
    runId: runIdOf(seed),
    timeoutMs: profile.timeoutMs,
  };
  const facts: Fact[] = [];
  if (first !== undefined) {
    facts.push(...(await writeInTurns(writing, chats, writers, durationMs, seed)));
    if (await becomesIdle(writing, first)) facts.push(await storm(writing, first, requests));
    if (await becomesIdle(writing, first)) facts.push(await raceForChat(writing, first, writers));
  }
  const measuredMs = performance.now() - startAt;
  const used = use();
  stopTelling();
  const stats = sockets.stats();
  sockets.close();
  return buildRecord({
    ...options,
    shard: wholeLoad,
    profile,
    startedAt: performance.timeOrigin + startAt,
    measuredMs,
    measurement,
    validation: await validator.end(judgingPatienceMs),
    use: used,
    sockets: stats,
    closes: 0,
    unfinished: 0,
    offeredPerSecond: undefined,
    isHeldBack: false,
    ending: signal.aborted ? { kind: 'interrupted' } : { kind: 'completed' },
    facts:
      first === undefined
        ? [
            {
              name: 'chats',
              value: 'none may be written to: declare organizations.<id>.chats',
              verdict: 'unclear',
            },
          ]
        : facts,
    notes:
      chats.length < wanted ? [`${chats.length} of the ${wanted} chats that the profile asks for are declared.`] : [],
  });
}

/** Waits until a chat takes a message and has answered it; false when it does not within the time a response may take. */
async function becomesIdle(writing: WriterOptions, chat: Parameters<typeof write>[1]): Promise<boolean> {
  const { quickPrompt: text, timeoutSeconds } = writing.target.assistant;
  const giveUpAt = performance.now() + timeoutSeconds * 1000;
  for (let turn = 0; performance.now() < giveUpAt && !writing.signal.aborted; turn += 1) {
    const key = `idle-${Math.floor(performance.now())}-${turn}`;
    const sent = await write(writing, chat, {
      text,
      key,
      waitSeconds: Math.min(300, Math.max(1, Math.floor(timeoutSeconds))),
    });
    if (isAccepted(sent) && sent.arrived.outcome === 200) return true;
    await realClock.sleep(lookMs);
  }
  return false;
}
