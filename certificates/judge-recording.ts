import { createRedactor } from '../core/redact.ts';
import type { CheckRecord, RunRecord } from '../reports/record/record.ts';
import { judgeRevision } from './judge-revision.ts';
import type { Recording } from './recording/recording.ts';
import { redactRequest } from './recording/redact-recording.ts';
import { type Replayed, replayWorld } from './recording/replay-world.ts';
import { type RunFile, targetOf } from './bundle/run-file.ts';

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
