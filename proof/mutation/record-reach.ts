import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';

/** The folder for one file of mutants for each test file; unset where a mutant is tried. */
const { AWC_REACH_FOLDER: folder } = process.env;
const { testPath } = expect.getState();

if (folder !== undefined && testPath !== undefined) {
  const control = (globalThis.__stryker__ ??= {});
  control.currentTestId = testPath;
  afterAll(async () => {
    const reached = Object.keys(control.mutantCoverage?.perTest[testPath] ?? {});
    await writeFile(join(folder, `${encodeURIComponent(testPath)}.json`), JSON.stringify(reached));
  });
}
