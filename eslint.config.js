// Type-aware lint with the RxJS rules; lib/streams and lib/operators are also kept free of promises, clocks and I/O.
import rxjsX from 'eslint-plugin-rxjs-x'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** What the compiler does not see; @eslint/js would bring the same list with a package of its own. */
const coreRules = Object.fromEntries(
  [
    'eqeqeq',
    'no-case-declarations',
    'no-cond-assign',
    'no-constant-binary-expression',
    'no-constant-condition',
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
  ].map((rule) => [rule, 'error']),
)

const virtualTime = 'rooms of law 1 run in virtual time: take an Observable from a port, or the clock from rxjs'

/** What schedules, waits or reads a clock behind RxJS's back. */
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

/** Promises and clocks as values; their types stay allowed, because a port may describe a foreign shape. */
const hostSyntax = [
  'AwaitExpression',
  'ForOfStatement[await=true]',
  ':matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression)[async=true]',
  'NewExpression[callee.name="Promise"]',
  'MemberExpression[object.name="Promise"]',
  'MemberExpression[object.name="Date"][property.name="now"]',
  'NewExpression[callee.name="Date"][arguments.length=0]',
].map((selector) => ({ selector, message: virtualTime }))

const asap = {
  name: 'rxjs',
  importNames: ['asapScheduler', 'animationFrameScheduler'],
  message: 'an asap action that cancels a timer of the same frame throws inside TestScheduler',
}

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', '**/generated/', 'lib/providers/catalogue-data/', '.vitest/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx,js,mjs}'],
    rules: coreRules,
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
    rules: { 'no-undef': 'error', 'no-unused-vars': 'error' },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, rxjsX.configs.strict],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // a parameter or property may be a function that returns an Observable, which the rule cannot tell from one
      'rxjs-x/finnish': [
        'error',
        {
          functions: false,
          methods: false,
          parameters: false,
          properties: false,
          objects: false,
          strict: true,
          names: { '^(hot|cold|provider|bounded|execute|from|nextStep|output|act|send|wait|records)$': false },
        },
      ],
      // an error that nobody handles becomes an uncaughtException: loud enough, and most inner streams never fail
      'rxjs-x/no-ignored-error': 'off',
      'rxjs-x/no-unsafe-takeuntil': [
        'error',
        {
          allow: [
            'assembleMessage',
            'catchError',
            'count',
            'defaultIfEmpty',
            'every',
            'finalize',
            'last',
            'map',
            'reduce',
            'share',
            'takeLast',
            'toArray',
          ],
        },
      ],
      // no object of ours uses `this`: ports are records of functions
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['lib/**/*.ts', 'app/**/*.{ts,tsx}', 'scripts/**/*.ts'],
    rules: {
      'max-lines': ['error', 250],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ['lib/**/*.ts'], rules: { 'no-console': 'error' } },
  {
    files: ['lib/streams/**/*.ts', 'lib/operators/**/*.ts'],
    ignores: [
      'lib/streams/rx/from-abortable.ts',
      'lib/streams/rx/from-readable.ts',
      'lib/streams/rx/to-async-iterable.ts',
    ],
    rules: {
      'no-restricted-globals': ['error', ...hostGlobals],
      'no-restricted-syntax': ['error', ...hostSyntax],
      'no-restricted-imports': ['error', asap],
    },
  },
  {
    // The verbs have no business with promises even as a type: whoever brings one wraps it in a port.
    files: ['lib/operators/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', ...hostGlobals, { name: 'Promise', message: virtualTime }] },
  },
)
