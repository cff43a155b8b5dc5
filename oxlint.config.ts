// The lint rules that oxlint has: syntax in oxlint itself, types in tsgolint. eslint.config.js holds the others.

type Rules = Record<string, 'error' | ['error', ...unknown[]]>

const errors = (names: readonly string[]): Rules => Object.fromEntries(names.map((name) => [name, 'error']))

/** Faults that the compiler does not report. */
const coreRules = errors([
  'eqeqeq',
  'no-case-declarations',
  'no-cond-assign',
  'no-constant-binary-expression',
  'no-debugger',
  'no-empty',
  'no-fallthrough',
  'no-irregular-whitespace',
  'no-loss-of-precision',
  'no-misleading-character-class',
  'no-self-assign',
  'no-self-compare',
  'no-sparse-arrays',
  'no-unmodified-loop-condition',
  'no-unsafe-finally',
  'no-unsafe-optional-chaining',
  'no-unused-labels',
  'no-useless-assignment',
  'no-useless-catch',
  'no-useless-escape',
  'no-var',
  'prefer-const',
  'require-yield',
])

/** The rules of typescript-eslint's strictTypeChecked that oxlint has; eslint.config.js names the two that it lacks. */
const strictTypeChecked = errors([
  'no-array-constructor',
  'no-unused-expressions',
  'no-useless-constructor',
  'prefer-rest-params',
  'prefer-spread',
  'typescript/await-thenable',
  'typescript/no-array-delete',
  'typescript/no-base-to-string',
  'typescript/no-deprecated',
  'typescript/no-duplicate-enum-values',
  'typescript/no-duplicate-type-constituents',
  'typescript/no-dynamic-delete',
  'typescript/no-empty-object-type',
  'typescript/no-explicit-any',
  'typescript/no-extra-non-null-assertion',
  'typescript/no-extraneous-class',
  'typescript/no-floating-promises',
  'typescript/no-for-in-array',
  'typescript/no-generated-empty-object-type',
  'typescript/no-implied-eval',
  'typescript/no-invalid-void-type',
  'typescript/no-meaningless-void-operator',
  'typescript/no-misused-new',
  'typescript/no-misused-promises',
  'typescript/no-misused-spread',
  'typescript/no-mixed-enums',
  'typescript/no-namespace',
  'typescript/no-non-null-asserted-nullish-coalescing',
  'typescript/no-non-null-asserted-optional-chain',
  'typescript/no-non-null-assertion',
  'typescript/no-redundant-type-constituents',
  'typescript/no-require-imports',
  'typescript/no-this-alias',
  'typescript/no-unnecessary-boolean-literal-compare',
  'typescript/no-unnecessary-condition',
  'typescript/no-unnecessary-template-expression',
  'typescript/no-unnecessary-type-arguments',
  'typescript/no-unnecessary-type-assertion',
  'typescript/no-unnecessary-type-constraint',
  'typescript/no-unnecessary-type-conversion',
  'typescript/no-unnecessary-type-parameters',
  'typescript/no-unsafe-argument',
  'typescript/no-unsafe-assignment',
  'typescript/no-unsafe-call',
  'typescript/no-unsafe-declaration-merging',
  'typescript/no-unsafe-enum-comparison',
  'typescript/no-unsafe-function-type',
  'typescript/no-unsafe-member-access',
  'typescript/no-unsafe-return',
  'typescript/no-unsafe-unary-minus',
  'typescript/no-useless-default-assignment',
  'typescript/no-wrapper-object-types',
  'typescript/only-throw-error',
  'typescript/prefer-as-const',
  'typescript/prefer-literal-enum-member',
  'typescript/prefer-namespace-keyword',
  'typescript/prefer-promise-reject-errors',
  'typescript/prefer-reduce-type-parameter',
  'typescript/prefer-return-this-type',
  'typescript/related-getter-setter-pairs',
  'typescript/require-await',
  'typescript/triple-slash-reference',
  'typescript/unified-signatures',
  'typescript/use-unknown-in-catch-callback-variable',
])

const typescriptOptions: Rules = {
  'no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
  'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
  'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  'typescript/restrict-plus-operands': [
    'error',
    { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
  ],
  'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
}

/** One statement of `import`, and one of `import type`, for each module that a file uses. */
const importRules: Rules = {
  'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
  'import/consistent-type-specifier-style': ['error', 'prefer-top-level'],
}

const virtualTime = 'rooms of law 1 run in virtual time: take an Observable from a port, or the clock from rxjs'

/** Globals that schedule, wait or read a clock outside RxJS. */
const hostGlobals = [
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'fetch',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
].map((name) => ({ name, message: virtualTime }))

const asap = {
  name: 'rxjs',
  importNames: ['asapScheduler', 'animationFrameScheduler'],
  message: 'an asap action that cancels a timer of the same frame throws inside TestScheduler',
}

/** Operators of rxjs that compare readings of the system's clock, which may be set. */
const byClock = {
  name: 'rxjs',
  importNames: ['debounceTime', 'timeInterval'],
  message: 'it waits an hour more if the clock is set back by one: take debounce(() => timer(ms))',
}

export default {
  plugins: ['typescript', 'import'],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error', respectEslintDisableDirectives: false },
  ignorePatterns: ['node_modules', 'dist/', 'coverage/', '**/generated/', 'lib/providers/catalogue-data/', '.vitest/'],
  rules: { ...coreRules, 'no-constant-condition': ['error', { checkLoops: 'allExceptWhileTrue' }] },
  overrides: [
    {
      files: ['**/*.{js,mjs}'],
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly' },
      rules: { 'no-undef': 'error', 'no-unused-vars': 'error' },
    },
    { files: ['examples/web/*.js'], env: { browser: true }, rules: {} },
    { files: ['**/*.{ts,tsx}'], rules: { ...strictTypeChecked, ...typescriptOptions, ...importRules } },
    {
      files: ['lib/**/*.ts', 'app/**/*.{ts,tsx}', 'scripts/**/*.ts'],
      rules: {
        'max-lines': ['error', 250],
        'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      },
    },
    { files: ['lib/**/*.ts'], rules: { 'no-console': 'error', 'no-restricted-imports': ['error', byClock] } },
    {
      files: ['lib/streams/**/*.ts', 'lib/operators/**/*.ts'],
      excludeFiles: ['lib/streams/**/{from-abortable,from-readable,to-async-iterable}.ts'],
      rules: {
        'no-restricted-globals': ['error', ...hostGlobals],
        'no-restricted-imports': ['error', asap, byClock],
      },
    },
    {
      // Operators may not use promises even as a type: a port wraps them.
      files: ['lib/operators/**/*.ts'],
      rules: {
        'no-restricted-globals': ['error', ...hostGlobals, { name: 'Promise', message: virtualTime }],
        'typescript/no-restricted-types': [
          'error',
          { types: { Promise: virtualTime, PromiseLike: virtualTime, AsyncIterable: virtualTime } },
        ],
      },
    },
  ],
}
