// Configures Stryker: one worker, each mutant runs only the tests that reach it, results are cached.
const { MUTATE_FILE = '', MUTATE_REPORT = '' } = process.env

export default {
  mutate: [MUTATE_FILE],
  testRunner: 'vitest',
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', pool: 'forks', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // schemas and tables are made when their file is loaded: each would cost a run of everything
  ignoreStatic: true,
  // words of messages: the codes among them are checked by the compiler
  mutator: { excludedMutations: ['StringLiteral'] },
  incremental: true,
  incrementalFile: `${MUTATE_REPORT}/incremental.json`,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  jsonReporter: { fileName: `${MUTATE_REPORT}/report.json` },
  ignorePatterns: ['dist', 'bench', 'coverage', '.rxpi-build'],
  tempDirName: 'coverage/mutation/.tmp',
  // generous: what a busy machine makes slow is no fault that was noticed
  timeoutMS: 30_000,
  timeoutFactor: 4,
  allowConsoleColors: false,
  logLevel: 'warn',
}
