import { z } from 'zod';

const runInHistorySchema = z.strictObject({
  build: z.string().meta({ description: 'Empty if the run was given no name of a build.' }),
  at: z.iso.datetime({ offset: true }),
});

export const verdictHistorySchema = z
  .strictObject({
    runs: z.int().min(1).meta({ description: 'Runs of this target in the history, this one included.' }),
    failing: z
      .array(
        z.strictObject({
          requirement: z.string(),
          since: runInHistorySchema,
          runs: z.int().min(1).meta({ description: 'Runs in which it was violated since then.' }),
          lastPassed: runInHistorySchema.optional(),
        }),
      )
      .meta({ description: 'Requirements that this run violates.' }),
    fixed: z
      .array(z.strictObject({ requirement: z.string(), failed: runInHistorySchema }))
      .meta({ description: 'Requirements that this run passes and the run before violated.' }),
    flips: z
      .array(
        z.strictObject({
          requirement: z.string(),
          build: z.string().meta({ description: 'The latest build on which it was both passed and violated.' }),
          passed: z.int().min(1),
          violated: z.int().min(1),
          builds: z.int().min(1).meta({ description: 'How many builds show both.' }),
        }),
      )
      .meta({ description: 'Requirements with different verdicts on one build.' }),
  })
  .meta({ id: 'VerdictHistory', description: 'What earlier runs of the same target show.' });

export type VerdictHistory = z.infer<typeof verdictHistorySchema>;
