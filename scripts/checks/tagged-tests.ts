// Finds the tests that show a case: titles and names of table rows that end with ids in brackets.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { Visitor } from 'rolldown/utils'

const id = String.raw`(?:S\d+[a-z]|[A-Z]{3,}(?:-\w+)+)`
const ids = `${id}(?:, ${id})*`
/** ` [S9a]` or ` [LOOP-24a, LOG-torn]` at the end of a text. */
const tag = new RegExp(String.raw` \[(${ids})\]$`)
const anywhere = new RegExp(String.raw`\[${ids}\]`, 'g')

/** A test, a suite, or a row of a table. */
export interface TaggedTest {
  /** From the project's folder, with `/`. */
  readonly file: string
  /** From the outermost suite inwards, without tags. */
  readonly titles: readonly string[]
  /** Ids of the cases that it shows. */
  readonly shows: readonly string[]
  /** `never` if the test or a suite around it is skipped, `sometimes` if that depends on the machine. */
  readonly runs: 'always' | 'sometimes' | 'never'
}

/**
 * Returns the tagged tests below `folder` of the project at `root`, sorted by file and position. It reads titles from
 * the source and runs no test. Throws if a tag is at the end of no title and of no row name.
 */
export function taggedTests(root: string, folder = 'test'): TaggedTest[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, ...name.split(path.sep)))
    .sort()
    .flatMap((file) => testsIn(file, readFileSync(path.join(root, file), 'utf8')))
}

/** Returns the tagged tests of one file. */
export function testsIn(file: string, source: string): TaggedTest[] {
  const written = Array.from(source.matchAll(anywhere)).length
  if (written === 0) return []
  const found: TaggedTest[] = []
  const around: TestCall[] = []
  const addTagged = (text: string, isTitle: boolean): void => {
    const [suffix, shown] = tag.exec(text) ?? []
    if (suffix === undefined || shown === undefined) return
    const titles = around.map(({ title }) => title.replace(tag, ''))
    found.push({
      file,
      titles: isTitle ? titles : [...titles, text.slice(0, -suffix.length)],
      shows: shown.split(', '),
      runs: runsOf(around),
    })
  }
  new Visitor({
    CallExpression: (node) => {
      const call = testCall(node, source)
      if (call === undefined) return
      around.push(call)
      addTagged(call.title, true)
    },
    'CallExpression:exit': (node) => {
      if (around.at(-1)?.end === node.end) around.pop()
    },
    Literal: (node) => {
      if (typeof node.value === 'string' && node.start !== around.at(-1)?.titleStart) addTagged(node.value, false)
    },
  }).visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  if (found.length !== written) {
    throw new Error(`${file} has ${written} tags, of which ${found.length} end a title or a row’s name`)
  }
  return found
}

interface TestCall {
  readonly title: string
  readonly end: number
  readonly titleStart: number
  /** Source text of the callee: `it.skipIf(condition)`. */
  readonly callee: string
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Parses `it('title', …)` in any of its forms; undefined for another call. */
function testCall(
  node: Span & { readonly callee: Span; readonly arguments: readonly (Span & { readonly type: string })[] },
  source: string,
): TestCall | undefined {
  const callee = source.slice(node.callee.start, node.callee.end)
  const [first, second] = node.arguments
  if (first === undefined || second === undefined || !/^(?:it|test|describe)\b/.test(callee)) return undefined
  if (first.type !== 'Literal' && first.type !== 'TemplateLiteral') return undefined
  const title = source.slice(first.start + 1, first.end - 1).replaceAll(/\\(.)/g, '$1')
  return { title, end: node.end, titleStart: first.start, callee }
}

function runsOf(calls: readonly TestCall[]): TaggedTest['runs'] {
  const modifiers = calls.map(({ callee }) => callee.split('(')[0] ?? '')
  if (modifiers.some((name) => /\.(?:skip|todo)\b/.test(name))) return 'never'
  return modifiers.some((name) => /\.(?:skipIf|runIf)\b/.test(name)) ? 'sometimes' : 'always'
}
