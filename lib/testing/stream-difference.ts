// What differs between two recorded streams, one notification a line, so that the first wrong moment is seen at once.
import { inspect } from 'node:util'

/** Lines as they are in both, `-` for what was expected and did not come, `+` for what came instead. */
export function streamDifference(actual: unknown, expected: unknown): string {
  const came = linesOf(actual)
  const wanted = linesOf(expected)
  const count = Math.max(came.length, wanted.length)
  const lines = Array.from({ length: count }, (_, index) => compared(wanted[index], came[index])).flat()
  const differs = lines.some((line) => !line.startsWith('    '))
  const note = differs ? [] : ['    (they read alike: a prototype, a property that is not shown or a cause differs)']
  return ['The streams differ (- expected, + actual):', ...lines, ...note, ''].join('\n')
}

function compared(wanted: string | undefined, came: string | undefined): string[] {
  if (wanted === came) return [`    ${String(came)}`]
  return [...(wanted === undefined ? [] : [`  - ${wanted}`]), ...(came === undefined ? [] : [`  + ${came}`])]
}

function linesOf(side: unknown): string[] {
  return Array.isArray(side) ? side.map(lineOf) : [shown(side)]
}

function lineOf(entry: unknown): string {
  if (!isRecord(entry)) return shown(entry)
  if ('subscribedFrame' in entry) {
    return `subscribed ${frame(entry['subscribedFrame'])}, unsubscribed ${frame(entry['unsubscribedFrame'])}`
  }
  const { notification } = entry
  return isRecord(notification) ? `${frame(entry['frame'])}  ${notified(notification)}` : shown(entry)
}

function frame(at: unknown): string {
  return at === Infinity ? 'never' : `${String(at)} ms`
}

function notified({ kind, value, error }: Record<string, unknown>): string {
  if (kind === 'C') return 'complete'
  return kind === 'E' ? `error ${shown(error)}` : shown(value)
}

function shown(value: unknown): string {
  if (value instanceof Error) return shownError(value)
  return inspect(value, { depth: 8, breakLength: Infinity, sorted: true })
}

/** Without its stack, which is another in every test. */
function shownError(error: Error): string {
  const more = Object.fromEntries(Object.entries(error))
  return `${error.name}: ${error.message}${Object.keys(more).length === 0 ? '' : ` ${shown(more)}`}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
