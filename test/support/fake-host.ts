// A host whose sessions are those its test made; it notes what it was asked.
import { EMPTY, map, of, take, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { ToolProgress, ToolResult } from '../../lib/streams/ports/tool.ts'
import { textResult } from '../../lib/streams/ports/tool.ts'
import type { Notice, OpenedSession, SessionHost } from '../../lib/services/contract/session-host.ts'
import { fakeSession } from './fake-session.ts'
import type { FakeSession, FakeSessionOptions } from './fake-session.ts'

export interface FakeHost extends SessionHost {
  /** Sessions by id that can be opened. */
  readonly stored: Map<string, FakeSession>
  /** `newSession` and `openSession` calls, in order. */
  readonly asked: readonly object[]
}

export interface FakeHostOptions {
  /** For sessions that `newSession` makes. */
  readonly session?: FakeSessionOptions
  readonly notices?: readonly Notice[]
  /** Opening waits for this; default: nothing. */
  readonly ready$?: Observable<unknown>
  readonly runTool?: SessionHost['runTool']
  readonly checks?: ResultOf<'doctor'>['checks']
  /** What every log is found to be; default: clean. */
  readonly verdict?: Omit<ResultOf<'verify_session'>, 'file'>
  /** What a repair comes to; default: there is nothing to repair. */
  readonly repair?: Pick<ResultOf<'repair_session'>, 'repaired' | 'lost' | 'changed'>
  readonly models?: readonly ResultOf<'list_models'>['models'][number][]
  readonly endpoints?: readonly ResultOf<'list_models'>['endpoints'][number][]
  /** The other commands; default: there are no sessions. */
  readonly commands?: Partial<SessionHost>
}

const source = { name: 'a-catalogue', version: '1.0.0', date: '2026-01-02', licence: 'MIT' }
const clean = { clean: true, lines: 1, head: 0, damaged: 0, damages: [] }
const fine = [{ name: 'node', ok: true, required: true, message: 'Node 24' }]

export function fakeHost({
  session,
  notices = [],
  ready$ = of(undefined),
  runTool,
  checks = fine,
  verdict = clean,
  repair = { lost: [], changed: [] },
  models = [],
  endpoints = [],
  commands = {},
}: FakeHostOptions = {}): FakeHost {
  const stored = new Map<string, FakeSession>()
  const asked: object[] = []
  function opened(made: FakeSession): Observable<OpenedSession> {
    return ready$.pipe(
      take(1),
      map(() => ({ session: made, notices })),
    )
  }
  return {
    stored,
    asked,
    newSession: (command, options = {}) => {
      asked.push({ new: command, ...options })
      const id = `${'b'.repeat(11)}${'abcdefghijklmnopqrstuvwxyz'[stored.size] ?? 'z'}`
      const made = fakeSession({ id, cwd: command.cwd, ...session, ...options })
      stored.set(made.id, made)
      return opened(made)
    },
    madeBefore: (_command, opId) => {
      const made = [...stored.values()].find(({ header }) => header.opId === opId)
      return made === undefined ? EMPTY : of(made.id)
    },
    openSession: (command) => {
      asked.push({ open: command })
      const found = stored.get(command.session)
      if (found === undefined) return unknownSession(command.session)
      return opened(found)
    },
    replaySession: ({ session = '' }) => unknownSession(session),
    latestSession: (cwd) => {
      const latest = [...stored.values()].findLast((each) => each.header.cwd === cwd)
      return latest === undefined ? EMPTY : of(latest.id)
    },
    runTool: runTool ?? (() => of<ToolProgress | ToolResult>(textResult('done'))),
    verifySession: ({ session, file = `${session ?? ''}.jsonl` }) => of({ file, ...verdict }),
    repairSession: ({ session, file = `${session ?? ''}.jsonl` }) => of({ file, ...verdict, ...repair }),
    doctor: () => of({ checks: [...checks] }),
    getDiff: ({ session }) => unknownSession(session),
    configList: () => of({ file: '/settings.json', settings: [] }),
    configGet: ({ key }) => of({ file: '/settings.json', setting: { key, takes: 'a text' } }),
    configSet: ({ key }) => of({ file: '/settings.json', setting: { key, takes: 'a text' } }),
    findFiles: () => of({ files: [], more: false, complete: true }),
    listSessions: () => of({ sessions: [], total: 0, more: false, problems: [] }),
    switchSession: ({ session }) => unknownSession(session),
    deleteSession: ({ session }) => unknownSession(session),
    changeClosed: ({ session }) => unknownSession(session),
    getState: ({ session }) => unknownSession(session),
    getTree: ({ session = '' }) => unknownSession(session),
    getEntries: ({ session = '' }) => unknownSession(session),
    getContext: ({ session = '' }) => unknownSession(session),
    getStats: ({ session = '' }) => unknownSession(session),
    getBlob: ({ session }) => unknownSession(session),
    importSession: () => unknownSession(''),
    exportSession: ({ session = '' }) => unknownSession(session),
    authSet: ({ key }) => {
      asked.push({ authSet: key.length })
      return of({ keyId: 'abcdefg2', kept: 'file', origin: 'https://api.openai.com', notices: [...notices] })
    },
    listModels: (command) => {
      asked.push({ listModels: command })
      return of({ models: [...models], total: models.length, endpoints: [...endpoints], source: { ...source } })
    },
    authList: () => of({ providers: [] }),
    authRemove: () => of({ removed: 1 }),
    authVerify: () => of({ outcome: 'valid', message: 'openai takes the key.' }),
    close: () => EMPTY,
    ...commands,
  }
}

function unknownSession(session: string): Observable<never> {
  return throwError(() => new Failure('unknown_session', `no session ${session}`))
}
