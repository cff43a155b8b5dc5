// Makes V8 compile the functions of a first run while it loads their module.
//
// Effect: V8 takes a function in parentheses for one that is called at once. Otherwise it reads the text of each
// function two or three times, once for every function around it, and compiles it at its first call, in the middle of
// the first prompt. The compile cache keeps only what is compiled while a module loads. Measured 2026-11-23, Node
// 24.21, `node bench/build-pairs.ts WITH WITHOUT`: without it `rxpi -p` takes 1.16 times the wall time and 1.13 times
// the CPU time, the first message of a process with the library 1.42 times. It makes no other row slower.
// Off: `RXPI_BUILD_WITHOUT=eager-functions npm run build`. Table: docs/decisions/0110-build-tricks.md.
// Guarantees: a marked module does the same, and its functions keep their names. A build fails if its first run fails.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseAst } from 'rolldown/parseAst'
import { Visitor } from 'rolldown/utils'

const firstRun = path.join(import.meta.dirname, 'first-run-program.ts')

/** Runs a first prompt on a bundle and marks, in place, the functions that it called. Rejects if the run fails. */
export async function markFirstRun(which: 'command' | 'library', folder: string): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'rxpi-first-run-'))
  try {
    const called = await calledFunctions([firstRun, which, folder], { cwd: home, env: { HOME: home, RXPI_HOME: home } })
    for (const [file, ranges] of called) {
      if (file.startsWith(realpathSync(folder) + path.sep))
        writeFileSync(file, eagerFunctions(readFileSync(file, 'utf8'), ranges))
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** `start:end` of a function in a module's text, as V8's coverage reports it: in UTF-16 units, the end not included. */
export type FunctionRange = `${number}:${number}`

/**
 * Returns the module with the functions among `called` marked.
 *
 * It puts expressions in parentheses, which changes nothing else. A declaration on the top level becomes a variable of
 * the same name in front of all other statements: in a cycle of modules, a module that is evaluated earlier must not
 * call it. Methods, and declarations within functions, stay as they are, because V8 has no such mark for them.
 */
export function eagerFunctions(source: string, called: ReadonlySet<FunctionRange>): string {
  const program = parseAst(source, { lang: 'js' })
  const isCalled = ({ start, end }: Span): boolean => called.has(`${start}:${end}`)
  const marks = parentheses(program, isCalled)
  const declarations = program.body.flatMap((each) =>
    each.type === 'FunctionDeclaration' && isCalled(each) ? [each] : [],
  )
  const front = program.body.findLast(({ type }) => type === 'ImportDeclaration')?.end ?? 0
  const variables = declarations.map((each) => `var ${nameOf(each)} = (${marked(source, marks, each)});\n`)
  let rest = ''
  let at = front
  for (const { start, end } of declarations) {
    rest += marked(source, marks, { start: at, end: start })
    at = end
  }
  return `${source.slice(0, front)}\n${variables.join('')}${rest}${marked(source, marks, { start: at, end: source.length })}`
}

type Program = ReturnType<typeof parseAst>

interface Span {
  readonly start: number
  readonly end: number
}

/** Yields the parentheses with their positions in the text, in order. */
type Marks = readonly { readonly at: number; readonly text: '(' | ')' }[]

function parentheses(program: Program, isCalled: (span: Span) => boolean): Marks {
  const marks: { at: number; text: '(' | ')' }[] = []
  const mark = (span: Span): void => {
    if (isCalled(span)) marks.push({ at: span.start, text: '(' }, { at: span.end, text: ')' })
  }
  // Coverage reports a method from its name on, but its function node begins after the name: no range of a method
  // matches.
  new Visitor({ ArrowFunctionExpression: mark, FunctionExpression: mark }).visit(program)
  return marks.sort((a, b) => a.at - b.at)
}

function marked(source: string, marks: Marks, { start, end }: Span): string {
  let text = ''
  let at = start
  for (const mark of marks) {
    if (mark.at < start || mark.at > end || mark.at === (mark.text === '(' ? end : start)) continue
    text += source.slice(at, mark.at) + mark.text
    at = mark.at
  }
  return text + source.slice(at, end)
}

function nameOf({ id }: { readonly id: { readonly name: string } | null }): string {
  if (id === null) throw new Error('A function declaration of a bundle has no name')
  return id.name
}

/** Module path → ranges of the functions that ran. */
type CalledFunctions = ReadonlyMap<string, ReadonlySet<FunctionRange>>

interface CalledFunctionsOptions {
  /** Environment of the program, besides PATH. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** Runs a Node program to its end. Rejects with its output if it fails or takes more than a minute. */
export async function calledFunctions(
  programAndArguments: readonly string[],
  { env, cwd }: CalledFunctionsOptions,
): Promise<CalledFunctions> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-coverage-'))
  try {
    const surroundings = { PATH: process.env.PATH, ...env, NODE_V8_COVERAGE: folder }
    await promisify(execFile)(process.execPath, programAndArguments, { cwd, env: surroundings, timeout: 60_000 })
    return new Map(readdirSync(folder).flatMap((name) => calledIn(path.join(folder, name))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function calledIn(file: string): [string, Set<FunctionRange>][] {
  const { result } = JSON.parse(readFileSync(file, 'utf8')) as Profiler.TakePreciseCoverageReturnType // Node writes these files
  const ours = result.filter(({ url }) => url.startsWith('file:'))
  return ours.map(({ url, functions }) => [fileURLToPath(url), new Set(functions.flatMap(rangeIfCalled))])
}

/** The first range is the function itself; later ranges are parts of it with other counts. */
function rangeIfCalled({ ranges: [own] }: Profiler.FunctionCoverage): FunctionRange[] {
  return own === undefined || own.count === 0 ? [] : [`${own.startOffset}:${own.endOffset}`]
}
