// The rules that oxlint lacks: rxjs-x with types, two of typescript-eslint, and forbidden syntax. All others: oxlint.config.ts.
import rxjsX from 'eslint-plugin-rxjs-x'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

const virtualTime = 'rooms of law 1 run in virtual time: take an Observable from a port, or the clock from rxjs'

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

/** The default limit of vitest is one second, which a slow machine needs for an import. */
const waiting =
  'CallExpression:matches([callee.object.name="vi"][callee.property.name=/^wait(?:For|Until)$/], [callee.object.name="expect"][callee.property.name="poll"])'
const waitSyntax = [
  `${waiting}[arguments.length=1]`,
  `${waiting} > ObjectExpression.arguments:not(:has(> Property[key.name="timeout"]))`,
].map((selector) => ({ selector, message: 'give the wait a limit of its own: { timeout: 10_000 }' }))

export default defineConfig(
  globalIgnores([
    'dist/',
    'coverage/',
    '**/generated/',
    'lib/providers/catalogue-data/',
    '.vitest/',
    '**/*.{js,mjs,cjs}',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.base, rxjsX.configs.strict],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'error',
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
    },
  },
  {
    // erasableSyntaxOnly forbids enums of our own; the vendors' SDKs have some
    files: ['lib/providers/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-enum-assignment': 'error' },
  },
  {
    files: ['lib/streams/**/*.ts', 'lib/operators/**/*.ts'],
    ignores: ['lib/streams/**/{from-abortable,from-readable,to-async-iterable}.ts'],
    rules: { 'no-restricted-syntax': ['error', ...hostSyntax] },
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', ...waitSyntax] },
  },
)
