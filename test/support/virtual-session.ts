// A session in virtual time: timed commands, scripted answers, fake tools, a log that can fail.
import { NEVER, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { RunHelpers } from 'rxjs/testing'
import { TestScheduler } from 'rxjs/testing'
import { scripted, scriptedModel } from '../../lib/providers/offline/scripted.ts'
import { openSession } from '../../lib/session/create/open-session.ts'
import type { SessionOptions, SessionParts } from '../../lib/session/contract/session-parts.ts'
import type { Session, SessionCommand } from '../../lib/session/contract/session.ts'
import { compileSchema } from '../../lib/streams/schema/compile-schema.ts'
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import type { Model } from '../../lib/streams/models/model.ts'
import type { ProviderRequest } from '../../lib/streams/ports/provider.ts'
import type { SessionRecord } from '../../lib/streams/log/log-line.ts'
import type { LogWriter, SessionLog } from '../../lib/streams/ports/session-log.ts'
import type { AnyTool } from '../../lib/streams/ports/tool.ts'
import type { UserShell } from '../../lib/streams/ports/user-shell.ts'
import { countedIds } from '../../lib/testing/counted-ids.ts'
import { shortName, shortNotation } from '../../lib/testing/short-name.ts'
import type { ShortNameOptions } from '../../lib/testing/short-name.ts'
import { faultyLog } from './faulty-log.ts'
import type { FaultyLog } from './faulty-log.ts'

/** A command and its result. */
export interface Sent {
  readonly command: SessionCommand
  readonly sentAt: number
  answeredAt?: number
  result?: object
  failure?: unknown
  completed: boolean
}

export interface SessionControl extends FaultyLog {
  readonly session: Session
  send(command: SessionCommand, options?: { opId?: string; client?: string }): Sent
  /** Virtual milliseconds. */
  now(): number
}

export interface SessionScene {
  readonly script: Parameters<typeof scripted>[0]
  readonly tools?: readonly AnyTool[]
  /** Default: `scriptedModel`. */
  readonly model?: Model
  readonly options?: SessionOptions
  /** Finds models by their names. Default: none can be found. */
  readonly resolveModel?: SessionParts['resolveModel']
  /** Default: the model has its facts. */
  readonly pendingModel?: SessionParts['pendingModel']
  /** Default: none. */
  readonly roles?: SessionParts['roles']
  /** Default: none. */
  readonly contextNotes?: SessionParts['contextNotes']
  /** Default: none, so commands of users are refused. */
  readonly userShell?: UserShell
  /** Default: a new one in memory. */
  readonly log?: FaultyLog
  /** Writes the events of the open session; default: its log. */
  writerOf?(log: SessionLog): LogWriter
  /** When to retry failed writes. Default: only the next command does. */
  readonly writeRetry$?: Observable<unknown>
  /** Sent at 0; default none. */
  readonly prompt?: string
  readonly at?: Readonly<Record<number, (control: SessionControl) => void>>
  /** Called with each record during its delivery. */
  onRecord?(record: SessionRecord, control: SessionControl): void
}

export interface PlayedSession extends SessionControl {
  readonly records: readonly SessionRecord[]
  readonly events: readonly AgentEvent[]
  readonly sent: readonly Sent[]
  readonly requests: readonly ProviderRequest[]
  notation(options?: ShortNameOptions): string
  /** `0:AS 0:TS …`, durable events with their seq: `0:1AS`. */
  progress(): string
}

/** Plays a scene until no work is left in virtual time. The session stays open for the test. */
export function playSession(scene: SessionScene | ((helpers: RunHelpers) => SessionScene)): PlayedSession {
  const scheduler = new TestScheduler(() => undefined)
  // `run` flushes after its callback returned: the played scene is complete by then
  return scheduler.run((helpers) => play(typeof scene === 'function' ? scene(helpers) : scene, () => scheduler.now()))
}

function play(scene: SessionScene, now: () => number): PlayedSession {
  const sessionLog = scene.log ?? faultyLog()
  const provider = scripted(scene.script)
  const { tools = [], options = {}, model = scriptedModel } = scene
  const session = openSession({
    log: sessionLog.log,
    ...(scene.writerOf === undefined ? {} : { writer: scene.writerOf(sessionLog.log) }),
    ...(scene.resolveModel === undefined ? {} : { resolveModel: scene.resolveModel }),
    ...(scene.pendingModel === undefined ? {} : { pendingModel: scene.pendingModel }),
    roles: scene.roles,
    ...(scene.contextNotes === undefined ? {} : { contextNotes: scene.contextNotes }),
    settings: () => ({ model, provider, system: '', thinkingLevel: 'off', tools }),
    tools: { cwd: '/somewhere', env: {} },
    writeRetry$: scene.writeRetry$ ?? NEVER,
    ...(scene.userShell === undefined ? {} : { userShell: scene.userShell }),
    options: {
      approve: 'auto',
      ids: countedIds(),
      retry: { jitter: () => 0 },
      validatorOf: (tool) => tool.validate ?? compileSchema(tool.parameters),
      ...options,
    },
  })
  const records: SessionRecord[] = []
  const sent: Sent[] = []
  const control: SessionControl = { ...sessionLog, session, now, send: sender(session, sent, now) }
  session.records$.subscribe((record) => {
    records.push(record)
    scene.onRecord?.(record, control)
  })
  for (const [at, act] of Object.entries(scene.at ?? {})) {
    timer(Number(at)).subscribe(() => {
      act(control)
    })
  }
  if (scene.prompt !== undefined) control.send({ type: 'prompt', text: scene.prompt })
  const events = (): AgentEvent[] => records.map(({ event }) => event)
  return {
    ...control,
    records,
    get events() {
      return events()
    },
    sent,
    requests: provider.requests,
    notation: (shown) => shortNotation(events(), shown),
    progress: () => records.map(({ at, seq = '', event }) => `${at}:${seq}${shortName(event)}`).join(' '),
  }
}

function sender(session: Session, all: Sent[], now: () => number): SessionControl['send'] {
  return (command, options) => {
    const sent: Sent = { command, sentAt: now(), completed: false }
    all.push(sent)
    session.send(command as Extract<SessionCommand, { type: 'prompt' }>, options).subscribe({
      next: (result) => {
        sent.result = result
        sent.answeredAt = now()
      },
      error: (failure: unknown) => {
        sent.failure = failure
        sent.answeredAt = now()
      },
      complete: () => {
        sent.completed = true
      },
    })
    return sent
  }
}
