// Plays recorded server lines to the client library of a build; collects what it sends and emits.
import path from 'node:path'
import { NEVER, Subject, of } from 'rxjs'
import type { Subscription } from 'rxjs'
import type * as ClientEntry from '../../lib/client.ts'
import type { ClientEvent, IncomingLine, ReconnectingClient, Transport } from '../../lib/client.ts'
import type { Step } from './transcript.ts'
import type { Frame } from './harness/wire-client.ts'

/** `connectOnce` lives as long as its connection; `connect` reconnects. */
export type ClientKind = 'connectOnce' | 'connect'

/** Conversations whose commands the library can send: not malformed lines, not results of tools under another name. */
export const playedScenes = ['sessions', 'run', 'streaming', 'progress', 'settings', 'branches', 'blobs', 'shutdown']

export async function playClient(build: string, kind: ClientKind, steps: readonly Step[]): Promise<unknown[]> {
  const library = (await import(path.join(build, 'dist/lib/client.js'))) as typeof ClientEntry
  const observed: unknown[] = []
  const lines$ = new Subject<IncomingLine>()
  const sent: Frame[] = []
  const transport: Transport = {
    lines$,
    send: (line) => {
      sent.push(JSON.parse(line) as Frame)
      observed.push({ sent: line })
    },
    unsent: () => 0,
    drained$: NEVER,
    close: () => undefined,
  }
  const open = kind === 'connectOnce' ? library.connectOnce(transport) : library.connect({ open: () => of(transport) })
  const driver = drive(open, observed)
  for (const step of steps) {
    const ids = new Map<unknown, unknown>()
    for (const text of step.sent) {
      const command = JSON.parse(text) as Frame
      const from = sent.length
      driver.act(command)
      const own = sent.slice(from).find(({ type }) => type === command['type'])
      if (own !== undefined) ids.set(command['id'], own['id'])
    }
    for (const frame of step.received) {
      const isAnswer = frame['type'] === 'response' && ids.has(frame['id'])
      lines$.next({ text: JSON.stringify(isAnswer ? { ...frame, id: ids.get(frame['id']) } : frame) })
    }
  }
  driver.end()
  return observed
}

function drive(
  { request, events$, close }: Pick<ReconnectingClient, 'request' | 'events$' | 'close'>,
  observed: unknown[],
) {
  const attached = new Map<unknown, Subscription>()
  const observer = (of: unknown) => ({
    next: (value: unknown) => observed.push({ of, next: withoutLine(value) }),
    error: (error: unknown) => {
      const { code, data } = error as { readonly code?: unknown; readonly data?: unknown }
      observed.push({ of, error: { code, data } })
    },
    complete: () => observed.push({ of, complete: true }),
  })
  return {
    act: ({ v: _, id, opId, ...command }: Frame): void => {
      const { type, session, ...options } = command
      if (type === 'attach' || type === 'detach') attached.get(session)?.unsubscribe()
      if (type === 'attach') attached.set(session, events$(String(session), options).subscribe(observer(session)))
      else if (type !== 'detach') {
        const own = typeof opId === 'string' ? { opId } : {}
        request(command as unknown as { readonly type: 'ping' }, own).subscribe(observer(id))
      }
    },
    end: close,
  }
}

/** The line of an event is compared as a line of the wire. */
function withoutLine(value: unknown): unknown {
  const { line, ...rest } = value as ClientEvent & { readonly line?: string }
  return line === undefined ? rest : { ...rest, line: 'there is one' }
}
