import { createRedactor } from '../harness/redact.ts';
import type { CheckRecord, RunRecord } from '../reports/record.ts';
import { judgeRevision } from './judge-revision.ts';
import type { Recording } from './recording.ts';
import { redactRequest } from './redact-recording.ts';
import { type Replayed, replayWorld } from './replay-world.ts';
import { type RunFile, targetOf } from './run-file.ts';

/** Makes a run again from its recording: what the suite says of it today. Nothing is sent, and no time passes. */
export function judgeRecording(
  run: RunFile,
  recording: Recording,
  onCheck: (check: CheckRecord) => void = () => {},
): Promise<Replayed<RunRecord>> {
  const target = targetOf(run);
  const redactor = createRedactor(target.principals);
  return replayWorld(
    recording,
    (request) => redactRequest(request, redactor),
    (world) => judgeRevision(run, target, world, onCheck),
  );
}
