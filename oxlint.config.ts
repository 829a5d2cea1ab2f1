import { defineConfig, type OxlintOverride } from 'oxlint';

const layers =
  'spec schemas core promises engine stage targets reports suites waivers load traffic reference proof certificates registry'.split(
    ' ',
  );

/** The folders, and which others each may import. Imports go one way, towards the specification. Tests may import anything. */
const mayImport = {
  spec: [],
  schemas: ['spec'],
  core: ['spec'],
  promises: ['core', 'schemas', 'spec'],
  engine: ['core', 'promises', 'schemas', 'spec'],
  stage: ['core', 'engine', 'promises', 'schemas', 'spec'],
  targets: ['core', 'engine', 'spec', 'stage'],
  reports: ['core', 'engine', 'spec'],
  suites: ['core', 'engine', 'promises', 'reports', 'schemas', 'spec', 'stage', 'targets'],
  waivers: ['core', 'reports', 'targets'],
  load: ['core', 'engine', 'promises', 'reports', 'spec', 'targets'],
  // Load and traffic judge by promises alone: with a schema or a check they could have a second opinion.
  traffic: ['core', 'engine', 'promises', 'reports', 'spec'],
  // The reference knows nothing that judges it.
  reference: ['core', 'spec'],
  proof: ['core', 'engine', 'load', 'reference', 'spec', 'suites', 'traffic'],
  certificates: ['core', 'engine', 'reports', 'spec', 'suites'],
  registry: ['certificates', 'core', 'reports', 'spec'],
  embed: ['core', 'engine', 'reports', 'stage', 'suites', 'targets'],
  testing: [
    'certificates',
    'cli',
    'core',
    'engine',
    'load',
    'proof',
    'reference',
    'registry',
    'reports',
    'schemas',
    'spec',
    'suites',
    'traffic',
  ],
  // The command line ties everything together, and nothing imports it.
  cli: layers,
  bench: [...layers, 'testing'],
  field: [...layers, 'testing'],
  tools: [...layers, 'testing', 'cli'],
  deploy: layers,
} satisfies Record<string, readonly string[]>;

const folders = Object.keys(mayImport);

function forbiddenTo(folder: string, allowed: readonly string[]): readonly string[] {
  return folders.filter((other) => other !== folder && !allowed.includes(other));
}

function importsOf(folder: string, allowed: readonly string[]): OxlintOverride {
  const message = `${folder}/ may not import this folder: see oxlint.config.ts.`;
  const regex = `^(\\.\\./)+(${forbiddenTo(folder, allowed).join('|')})/`;
  return {
    files: [`${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
  };
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import'],
  categories: { correctness: 'error' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unnecessary-template-expression': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'no-control-regex': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-base-to-string': 'off',
    'max-lines': ['error', { max: 250, skipBlankLines: true }],
    'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
  },
  overrides: [
    ...Object.entries(mayImport).map(([folder, allowed]) => importsOf(folder, allowed)),
    {
      files: ['**/*.test.ts'],
      rules: {
        'no-restricted-imports': 'off',
        'max-lines': ['error', { max: 500 }],
        'max-lines-per-function': 'off',
      },
    },
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    // Tables: one check after the other.
    { files: ['suites/**/*.ts'], rules: { 'max-lines-per-function': 'off' } },
  ],
  ignorePatterns: ['node_modules', 'dist', 'coverage', 'reports/out'],
});
