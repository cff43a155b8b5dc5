// Tests that both linters report every planted fault under its rule, and that no rule was lost.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import tseslint from 'typescript-eslint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import eslintConfig from '../../eslint.config.js'
import oxlintConfig from '../../oxlint.config.ts'
import { isFull } from '../support/sample-size.ts'

type Planted = readonly [file: string, code: string, rule: string]

const rx = `import { delay, map, of, Subject, takeUntil } from 'rxjs'; export const used = { delay, map, of, Subject, takeUntil }\n`

/** Reported by oxlint: `eslint(…)` from syntax, `typescript(…)` mostly from types. */
const byOxlint: readonly Planted[] = [
  ['lib/session/floating.ts', `Promise.resolve(1)`, 'typescript(no-floating-promises)'],
  ['lib/session/misused.ts', `[1].forEach(async () => { await Promise.resolve() })`, 'typescript(no-misused-promises)'],
  ['lib/session/thenable.ts', `export const f = async (n: number) => await n`, 'typescript(await-thenable)'],
  ['lib/session/any.ts', `export const a = (x: any): void => { x }`, 'typescript(no-explicit-any)'],
  ['lib/session/assign.ts', `export const a: string = JSON.parse('1')`, 'typescript(no-unsafe-assignment)'],
  ['lib/session/call.ts', `JSON.parse('1')()`, 'typescript(no-unsafe-call)'],
  ['lib/session/member.ts', `export const a = () => String(JSON.parse('1').b)`, 'typescript(no-unsafe-member-access)'],
  ['lib/session/return.ts', `export const a = (): string => JSON.parse('1')`, 'typescript(no-unsafe-return)'],
  ['test/argument.ts', `Number.parseInt(JSON.parse('1'))`, 'typescript(no-unsafe-argument)'],
  ['bench/bang.ts', `export const a = (x?: string) => x!.length`, 'typescript(no-non-null-assertion)'],
  ['scripts/useless-as.ts', `export const a = (x: string) => x as string`, 'typescript(no-unnecessary-type-assertion)'],
  ['app/condition.ts', `export const a = (x: string) => x ?? 'b'`, 'typescript(no-unnecessary-condition)'],
  [
    'app/switch.tsx',
    `export const a = (x: 'b' | 'c') => { switch (x) { case 'b': return 1 } return 2 }`,
    'typescript(switch-exhaustiveness-check)',
  ],
  ['app/await.ts', `export const a = async () => 1`, 'typescript(require-await)'],
  ['app/deprecated.ts', `export const a = escape('b')`, 'typescript(no-deprecated)'],
  ['app/template.ts', 'export const a = (x: object) => `${x}`', 'typescript(restrict-template-expressions)'],
  ['app/void.ts', `export const a = () => { return console.log() }`, 'typescript(no-confusing-void-expression)'],
  ['app/throw.ts', `export const a = () => { throw 'b' }`, 'typescript(only-throw-error)'],
  ['test/equal.ts', `export const a = (x: unknown) => x == 1`, 'eslint(eqeqeq)'],
  ['test/unused.ts', `const a = 1; export {}`, 'eslint(no-unused-vars)'],
  ['test/useless.ts', `export const a = () => { let b = 1; b = 2; return b }`, 'eslint(no-useless-assignment)'],
  ['bin/undefined.js', `nowhere()`, 'eslint(no-undef)'],
  ['lib/host/console.ts', `console.log('a')`, 'eslint(no-console)'],
  ['lib/host/long.ts', `// a\n`.repeat(251), 'eslint(max-lines)'],
  ['lib/host/function.ts', `export function a() {\n${'  a()\n'.repeat(51)}}`, 'eslint(max-lines-per-function)'],
  ['lib/streams/timer.ts', `setTimeout(() => 1, 1)`, 'eslint(no-restricted-globals)'],
  ['lib/operators/promise.ts', `export const a = Promise`, 'eslint(no-restricted-globals)'],
  ['lib/operators/type.ts', `export type A = Promise<void>`, 'typescript(no-restricted-types)'],
  ['lib/operators/asap.ts', `export { asapScheduler } from 'rxjs'`, 'eslint(no-restricted-imports)'],
]

/** Reported by ESLint. */
const byEslint: readonly Planted[] = [
  ['lib/streams/finnish.ts', `${rx}export const a = of(1)`, 'rxjs-x/finnish'],
  ['lib/streams/nested.ts', `${rx}of(1).subscribe(() => of(2).subscribe())`, 'rxjs-x/no-nested-subscribe'],
  ['lib/streams/float.ts', `${rx}of(1)`, 'rxjs-x/no-floating-observables'],
  ['lib/session/floated.ts', `${rx}of(1).pipe(map(String))`, 'rxjs-x/no-floating-observables'],
  ['lib/session/wasted.ts', `${rx}export const a = { ...of(1) }`, 'rxjs-x/no-misused-observables'],
  ['app/async.ts', `${rx}of(1).subscribe(async () => { await Promise.resolve() })`, 'rxjs-x/no-async-subscribe'],
  ['app/take-until.ts', `${rx}export const a$ = of(1).pipe(takeUntil(of(1)), delay(1))`, 'rxjs-x/no-unsafe-takeuntil'],
  ['app/subject.ts', `${rx}export class A { readonly a = new Subject<number>() }`, 'rxjs-x/no-exposed-subjects'],
  ['examples/internal.ts', `import { of } from 'rxjs/internal/observable/of'; of(1).subscribe()`, 'rxjs-x/no-internal'],
  ['lib/streams/async.ts', `export const a = async () => { await 1 }`, 'no-restricted-syntax'],
  ['lib/operators/clock.ts', `export const a = () => Date.now()`, 'no-restricted-syntax'],
  [
    'lib/providers/instance.ts',
    `class A { readonly #a = 1; b = 1; get c() { return this.#a } }\nclass B { b = 1 }\nexport const a: B = { b: 1 }; void A`,
    '@typescript-eslint/no-unsafe-class-instance-assignment',
  ],
]

/** Faults of these lines are hidden, so the comment itself is a fault. */
const idle = [
  ['lib/session/idle-oxlint.ts', `// oxlint-disable-next-line no-var\nexport const a = 1`],
  ['lib/session/idle-eslint.ts', `// eslint-disable-next-line rxjs-x/no-create\nexport const a = 1`],
] as const

const house = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-lint-')))
let reports: ReadonlySet<string>

async function plantAndLint(): Promise<void> {
  for (const file of ['package.json', 'tsconfig.json', 'oxlint.config.ts', 'eslint.config.js']) {
    cpSync(file, path.join(house, file))
  }
  symlinkSync(path.resolve('node_modules'), path.join(house, 'node_modules'))
  for (const [file, code] of [...byOxlint, ...byEslint, ...idle]) {
    mkdirSync(path.dirname(path.join(house, file)), { recursive: true })
    writeFileSync(path.join(house, file), `${code}\n`)
  }
  const [oxlint, eslint] = await Promise.all([
    lint('oxlint/bin/oxlint', '--format', 'json'),
    lint('eslint/bin/eslint.js', '--format', 'json', '.'),
  ])
  const { diagnostics } = oxlint as { diagnostics: { filename: string; code?: string; message: string }[] }
  const files = eslint as { filePath: string; messages: { ruleId: string | null; message: string }[] }[]
  reports = new Set([
    ...diagnostics.map(({ filename, code, message }) => `${filename}: ${code ?? message}`),
    ...files.flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId, message }) => `${path.relative(house, filePath)}: ${ruleId ?? message}`),
    ),
  ])
}

afterAll(() => rmSync(house, { recursive: true }))

async function lint(script: string, ...flags: string[]): Promise<unknown> {
  const command = [path.resolve('node_modules', script), ...flags]
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: house, maxBuffer: 2 ** 26 }).catch(
    (error: unknown) => error as { stdout: string },
  )
  return JSON.parse(stdout)
}

describe.runIf(isFull)('lint', () => {
  beforeAll(plantAndLint, 60_000)

  const rows = [...byOxlint, ...byEslint].map(([file, , rule]) => [file, rule] as const)
  it.each(rows)('reports in %s: %s', (file, rule) => {
    expect([...reports].filter((report) => report.startsWith(`${file}: `))).toContain(`${file}: ${rule}`)
  })

  it.each(idle)('reports in %s a comment that disables no rule', (file) => {
    expect([...reports].filter((report) => report.startsWith(file))).toEqual([expect.stringMatching(/unused/i)])
  })
})

/** The levels that a configuration sets a rule to, for any files. */
function levelsOf(
  rule: string,
  configs: readonly { readonly rules?: Readonly<Record<string, unknown>> | undefined }[],
): unknown[] {
  return configs.flatMap(({ rules = {} }) => (rule in rules ? [[rules[rule]].flat()[0]] : []))
}

// `npm test` looks at the configuration; test:full also plants a fault for each rule
describe('the configuration of lint', () => {
  it.each(byOxlint.map(([, , rule]) => rule))('has %s as an error, in oxlint', (rule) => {
    const name = rule.replace(/^eslint\((.+)\)$/, '$1').replace(/^(\w+)\((.+)\)$/, '$1/$2')
    expect(new Set(levelsOf(name, [oxlintConfig, ...oxlintConfig.overrides]))).toEqual(new Set(['error']))
  })

  it.each(byEslint.map(([, , rule]) => rule))('has %s as an error, in ESLint', (rule) => {
    expect(new Set(levelsOf(rule, eslintConfig))).toEqual(new Set(['error']))
  })

  it('reports comments that disable no rule', () => {
    expect(eslintConfig.map(({ linterOptions }) => linterOptions?.reportUnusedDisableDirectives)).toContain('error')
    expect(oxlintConfig.options.reportUnusedDisableDirectives).toBe('error')
  })

  it('has every rule of strictTypeChecked except the three that the decision names', () => {
    const strict = tseslint.configs.strictTypeChecked.flatMap(({ rules = {} }) =>
      Object.entries(rules).flatMap(([name, level]) => (level === 'off' ? [] : [name])),
    )
    const known = new Set(oxlintConfig.overrides.flatMap(({ rules }) => Object.keys(rules)))
    const lost = Array.from(new Set(strict), (name) => name.replace('@typescript-eslint/', '')).filter(
      (name) => !known.has(name) && !known.has(`typescript/${name}`) && !(name in oxlintConfig.rules),
    )
    expect(lost.sort()).toEqual(['no-unsafe-class-instance-assignment', 'no-unsafe-enum-assignment', 'unbound-method'])
  })
})
