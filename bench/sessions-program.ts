// Opens one long session, or loads it in pi, makes its first request and measures it; writes JSON.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { lastValueFrom } from 'rxjs'
import { contextMessages } from '../lib/streams/state/context-messages.ts'
import { openSession } from '../lib/session/create/open-session.ts'
import type { Session } from '../lib/session/contract/session.ts'
import { fileStore } from '../lib/store/index.ts'
import type { Provider } from '../lib/streams/ports/provider.ts'
import { callAnswers, lookTools } from './call-answers.ts'
import { median } from './statistics.ts'
import { timedPrompt } from './timed-prompt.ts'
import { writeLongLog, writeLongPiSession } from './write-long-session.ts'

export interface OpenedLong {
  /** Milliseconds until a prompt is accepted; of pi the same as `contextMs`. */
  readonly readyMs: number
  /** Milliseconds until the messages for the model are ready. */
  readonly contextMs: number
  /** Milliseconds until the first request of a run contains them, with all first-use costs of the process. */
  readonly requestMs: number
  /** Messages of that request. */
  readonly messages: number
  /** Bytes of the process when a prompt is accepted, … */
  readonly rssReady: number
  /** … when they are ready, and the maximum until then. */
  readonly rss: number
  readonly peak: number
  /** … and before. */
  readonly rssBefore: number
  /** Milliseconds from an answer to the next request (median); of pi the time to make the context. */
  readonly gapMs: number
}

/** An opening without a stored snapshot beside the log. */
export interface ClosedLong {
  /** Milliseconds until a prompt is accepted … */
  readonly readyMs: number
  /** … and the bytes of the process then. */
  readonly rssReady: number
}

/** The files of one long conversation. */
export interface WrittenLong {
  readonly session: string
  /** Its log. */
  readonly file: string
}

const turns = 200
const warmTurns = 100
const [mode = '', folder = '', ...rest] = process.argv.slice(2)

const output = await measure()
process.stdout.write(JSON.stringify(output))
process.exit(0) // the remaining verification of the log was measured

function measure(): Promise<OpenedLong | WrittenLong | ClosedLong> {
  switch (mode) {
    case 'write':
      return write()
    case 'close':
      return close()
    case 'ours':
      return openOurs()
    case 'pi':
      return openPi()
    default:
      throw new Error(`There is no mode "${mode}"`)
  }
}

/** Arguments: the home, pi's file, the number of entries, whether they are compacted. */
async function write(): Promise<WrittenLong> {
  const [piFile = '', entries, compacted] = rest
  const long = { entries: Number(entries), compacted: compacted === 'compacted' }
  writeLongPiSession(piFile, long)
  const session = await writeLongLog(folder, long)
  return { session, file: fileStore({ home: folder }).fileOf(session) }
}

/** Opens and closes it, which stores its snapshot. Arguments: the home and the session's id. */
async function close(): Promise<ClosedLong> {
  const startedAt = performance.now()
  const session = opened(callAnswers(0))
  const readyMs = performance.now() - startedAt
  const rssReady = process.memoryUsage.rss()
  await lastValueFrom(session.close(), { defaultValue: undefined })
  return { readyMs, rssReady }
}

function opened(provider: Provider): Session {
  const { log, warnings } = fileStore({ home: folder }).open(rest[0] ?? '')
  const model = { id: 'bench', provider: 'bench', api: 'bench', inputs: ['text' as const], reasoning: false }
  return openSession({
    log,
    warnings,
    settings: () => ({ model, provider, tools: [lookTools.synchronous], system: 'bench', thinkingLevel: 'off' }),
    tools: { cwd: folder, env: {} },
    options: { approve: 'auto' },
  })
}

/** Arguments: the home and the session's id. */
async function openOurs(): Promise<OpenedLong> {
  const gaps = gapClock()
  const rssBefore = process.memoryUsage.rss()
  const startedAt = performance.now()
  const session = opened(gaps.request$)
  const readyMs = performance.now() - startedAt
  const rssReady = process.memoryUsage.rss()
  const messages = contextMessages(session.state$.value).length
  const contextMs = performance.now() - startedAt
  const [rss, peak] = [process.memoryUsage.rss(), peakBytes()]
  const promptedAt = performance.now()
  await timedPrompt(session, gaps.onEvent)
  const { requestAt, gapMs } = gaps.taken()
  const requestMs = contextMs + requestAt - promptedAt
  await lastValueFrom(session.close(), { defaultValue: undefined })
  return { readyMs, contextMs, requestMs, messages, rssReady, rss, peak, rssBefore, gapMs }
}

/** Reads the clock when a request begins, and when the previous answer ended. */
function gapClock() {
  const answer$ = callAnswers(turns + warmTurns)
  const gaps: number[] = []
  let requestAt: number | undefined
  let answeredAt: number | undefined
  const request$: Provider = (request) => {
    const now = performance.now()
    if (answeredAt !== undefined) gaps.push(now - answeredAt)
    requestAt ??= now
    return answer$(request)
  }
  return {
    request$,
    onEvent: (event: { readonly type: string; readonly message?: unknown }): void => {
      if (event.type === 'message_end' && isAnswer(event.message)) answeredAt = performance.now()
    },
    taken: () => {
      if (requestAt === undefined) throw new Error('No request was made')
      return { requestAt, gapMs: median(gaps.slice(warmTurns)) }
    },
  }
}

function isAnswer(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'role' in message && message.role === 'assistant'
}

interface PiSessionManager {
  buildSessionContext(): { readonly messages: readonly unknown[] }
}

/** Arguments: pi's packages and its file. */
async function openPi(): Promise<OpenedLong> {
  const file = path.join(folder, 'pi-coding-agent/dist/core/session-manager.js')
  const { SessionManager } = (await import(pathToFileURL(file).href)) as {
    readonly SessionManager: { open(file: string): PiSessionManager }
  }
  const rssBefore = process.memoryUsage.rss()
  const startedAt = performance.now()
  const manager = SessionManager.open(rest[0] ?? '')
  const { messages } = manager.buildSessionContext()
  const contextMs = performance.now() - startedAt
  const [rss, peak] = [process.memoryUsage.rss(), peakBytes()]
  const times: number[] = []
  for (let round = 0; round < 15; round++) {
    const before = performance.now()
    manager.buildSessionContext()
    times.push(performance.now() - before)
  }
  return {
    readyMs: contextMs,
    contextMs,
    requestMs: contextMs,
    messages: messages.length,
    rssReady: rss,
    rss,
    peak,
    rssBefore,
    gapMs: median(times.slice(5)),
  }
}

/** The kernel's own figure of this program. */
function peakBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024
}
