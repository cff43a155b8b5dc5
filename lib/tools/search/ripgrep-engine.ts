// Searches by ripgrep: names end with NUL, matches come as NDJSON.
import { concatMap, defer, map, Observable, of, scan, timer } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import split2 from 'split2'
import { spawnProcess } from '../../host/process/spawn-process.ts'
import type { ProcessEnd, ProcessEvent } from '../../host/process/process-event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isInRepository } from '../../host/files/repository-root.ts'
import { maxFileBytes, maxFileMatches, maxLineLength, shownLine } from './search-engine.ts'
import { failIfDied, ripgrepStart } from './start-ripgrep.ts'
import type { FoundFile, FoundLine, LineSearch, ListedPaths, SearchEnd, SearchEngine } from './search-engine.ts'

/** @param program absolute path of ripgrep */
export function createRipgrepEngine(program: string): SearchEngine {
  const run$ = (args: readonly string[], cwd: string, limitMs: number): Observable<ProcessEvent> =>
    spawnProcess({
      ...ripgrepStart(program, [...commonArgs, ...gitArgs(cwd), ...args]),
      cwd,
      env: {},
      endWhen$: timer(limitMs),
    }).pipe(failIfDied())
  return {
    name: 'ripgrep',
    files: ({ folder, limitMs, containing = '' }) =>
      run$(['--files', '--null', '--', '.'], folder, limitMs).pipe(toPaths(containing)),
    lines: (search) =>
      run$(lineArgs(search), search.folder, search.limitMs).pipe(toMessages(), toFoundFiles(search.selects)),
  }
}

/** No configuration (docs/design/security.md#S16), and of the ignore files .gitignore alone. */
const commonArgs = [
  '--no-config',
  '--hidden',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-ignore-dot',
  '--glob=!.git',
]

/** Outside of a repository .gitignore applies too; inside it does up to the repository's root. */
function gitArgs(folder: string): string[] {
  return isInRepository(folder) ? [] : ['--no-require-git']
}

function lineArgs({ file, pattern, isLiteral, ignoreCase, context, globs }: LineSearch): string[] {
  const types = globs.map(typeOf)
  const narrowed = types.every((type) => type !== undefined) ? types : []
  return [
    '--json',
    '--crlf',
    `--max-count=${maxFileMatches}`,
    ...(file === undefined ? [`--max-filesize=${maxFileBytes}`] : []),
    ...(isLiteral ? ['--fixed-strings'] : []),
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(context > 0 ? [`--context=${context}`] : []),
    ...narrowed.map((type) => `--type-add=rxpi:${type}`),
    ...(narrowed.length > 0 && file === undefined ? ['--type=rxpi'] : []),
    `--regexp=${pattern}`,
    '--',
    file === undefined ? '.' : `./${file}`,
  ]
}

/** A type narrows the search; `--glob` would also show ignored files. Undefined if the last name cannot be a type. */
function typeOf(glob: string): string | undefined {
  const name = glob.slice(glob.lastIndexOf('/') + 1)
  return !glob.startsWith('!') && name !== '**' && /^[\w.*?@+-]+$/.test(name) ? name : undefined
}

/** Holds the begun name. Leaves out names without the text. */
function toPaths(containing: string): OperatorFunction<ProcessEvent, ListedPaths | SearchEnd> {
  return (events$) =>
    defer(() => {
      let [rest, errors] = ['', 0]
      return events$.pipe(
        map((event): ListedPaths | SearchEnd => {
          if (event.type === 'end') return endOf(event, errors)
          if (event.stream === 'stderr') {
            errors += countLines(event.text)
            return { type: 'files', files: [] }
          }
          const text = `${rest}${event.text}`
          const end = text.lastIndexOf('\0') + 1
          rest = text.slice(end)
          return { type: 'files', files: namesWith(text.slice(0, end), containing).filter(isDecodable).map(withoutDot) }
        }),
      )
    })
}

/** The names in a text where NUL ends each. */
function namesWith(text: string, containing: string): string[] {
  if (containing === '') return text.split('\0')
  const names: string[] = []
  for (let at = text.indexOf(containing); at >= 0;) {
    const end = text.indexOf('\0', at)
    names.push(text.slice(text.lastIndexOf('\0', at) + 1, end))
    at = text.indexOf(containing, end + 1)
  }
  return names
}

const withoutDot = (name: string): string => (name.startsWith('./') ? name.slice(2) : name)

interface RipgrepText {
  readonly text?: string
  readonly bytes?: string
}

/** The fields of ripgrep's messages that are used. */
interface RipgrepMessage {
  readonly type: 'begin' | 'match' | 'context' | 'end' | 'summary'
  readonly data: {
    readonly path?: RipgrepText
    readonly lines?: RipgrepText
    readonly line_number?: number
    readonly submatches?: readonly { readonly start: number }[]
    readonly binary_offset?: number | null
    readonly stats?: { readonly matched_lines: number }
  }
}

type ParsedEvent = RipgrepMessage | (SearchEnd & { readonly problem: string | undefined })

/**
 * Parses the lines with split2; skips lines that are too long, and the last one if the end cut it short. Holds the
 * begun line and up to 2,000 characters of errors. The last value is the end.
 */
function toMessages(): OperatorFunction<ProcessEvent, ParsedEvent> {
  return (events$) =>
    new Observable((subscriber) => {
      const lines = split2('\n', { maxLength: maxLineLength * 2, skipOverflow: true } as split2.Options)
      let [errors, errorText, hasRun] = [0, '', false]
      let [end, cutLine]: [ProcessEnd?, unknown?] = []
      lines.on('data', (line: string) => {
        if (cutLine !== undefined) subscriber.error(cutLine)
        const message = parseMessage(line)
        if (message instanceof Error) {
          cutLine = message
          return
        }
        hasRun ||= message.type === 'summary'
        subscriber.next(message)
      })
      lines.on('end', () => {
        if (cutLine !== undefined && end?.cutShort !== true) subscriber.error(cutLine)
        const failed = end?.exitCode === 2 && !hasRun
        if (end !== undefined) subscriber.next({ ...endOf(end, errors), problem: failed ? errorText : undefined })
        subscriber.complete()
      })
      lines.on('error', (error) => subscriber.error(error))
      subscriber.add(() => lines.destroy())
      subscriber.add(
        events$.subscribe({
          next: (event) => {
            if (event.type === 'end') end = event
            else if (event.stream === 'stdout') lines.write(event.text)
            else {
              errors += countLines(event.text)
              errorText = (errorText + event.text).slice(0, 2000)
            }
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => lines.end(),
        }),
      )
    })
}

function parseMessage(line: string): RipgrepMessage | Error {
  try {
    return JSON.parse(line) as RipgrepMessage
  } catch (error) {
    return error as SyntaxError
  }
}

interface OpenFile {
  readonly lines: FoundLine[]
  readonly matches: number
}

/** Collects the lines of each file; files of several threads do not mix in ripgrep's output. */
function toFoundFiles(selects: LineSearch['selects']): OperatorFunction<ParsedEvent, FoundFile | SearchEnd> {
  return (messages$) =>
    messages$.pipe(
      scan(
        ({ open }: { readonly open: OpenFile; readonly value?: FoundFile | SearchEnd }, message) => {
          if ('problem' in message) return { open: empty(), value: endOrThrow(message) }
          const { type, data } = message
          if (type === 'begin') return { open: empty() }
          if (type === 'end') return { open: empty(), ...valueOf(open, data, selects) }
          return { open: type === 'summary' ? open : withLine(open, message) }
        },
        { open: empty() },
      ),
      concatMap(({ value }) => (value === undefined ? [] : of(value))),
    )
}

function empty(): OpenFile {
  return { lines: [], matches: 0 }
}

/** Appends in place: a file may have many matches. */
function withLine({ lines, matches }: OpenFile, { type, data }: RipgrepMessage): OpenFile {
  const isMatch = type === 'match'
  const raw = textOf(data.lines)
  const at = isMatch && raw.length > 400 ? Buffer.from(raw).subarray(0, data.submatches?.[0]?.start).toString() : ''
  lines.push({ number: data.line_number ?? 0, text: shownLine(raw, at.length), isMatch })
  return { lines, matches: matches + (isMatch ? 1 : 0) }
}

/** Nothing for a file that turned out binary. */
function valueOf(
  { lines, matches }: OpenFile,
  { path, binary_offset: binary, stats }: RipgrepMessage['data'],
  selects: LineSearch['selects'],
): { readonly value?: FoundFile } {
  const file = path?.text?.replace(/^\.\//, '')
  if (file === undefined || typeof binary === 'number' || !selects(file)) return {}
  return { value: { type: 'file', file, lines, skipped: Math.max(0, (stats?.matched_lines ?? 0) - matches) } }
}

/** @throws Failure `bad_request` if ripgrep refused the pattern */
function endOrThrow({ problem, ...end }: SearchEnd & { readonly problem: string | undefined }): SearchEnd {
  if (problem === undefined) return end
  const reason = /error: (?<reason>.*)/.exec(problem)?.groups?.['reason'] ?? problem.trim()
  throw new Failure('bad_request', reason)
}

function textOf({ text, bytes = '' }: RipgrepText = {}): string {
  return text ?? Buffer.from(bytes, 'base64').toString('utf8')
}

function endOf({ cutShort }: ProcessEnd, unreadable: number): SearchEnd {
  return { type: 'end', isCutShort: cutShort, unreadable }
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

function isDecodable(name: string): boolean {
  return name !== '' && !name.includes('\u{FFFD}')
}
