// Tracks the open calls of a connection; requests that its server makes meanwhile belong to them.
import { BehaviorSubject, ReplaySubject, distinctUntilChanged, map } from 'rxjs'
import type { Observable, Subject } from 'rxjs'
import { anySession } from '../contract/mcp-requests.ts'
import type { McpClientPorts, McpRequestRouter } from '../contract/mcp-requests.ts'
import type { McpCaller } from '../contract/mcp-peer.ts'

export interface OpenCalls {
  readonly router: McpRequestRouter
  /** True while a person or a model answers a request of the server. Starts with the present value. */
  readonly paused$: Observable<boolean>
  /** Registers a session that uses the connection; the returned function removes it. */
  join(ports: McpClientPorts): () => void
  /** Tells the sessions that use the connection. */
  notify(notice: Parameters<McpClientPorts['onNotice']>[0]): void
  /** Registers a call; the returned function removes it. A call of a session that has not joined gets no requests. */
  begin(caller: McpCaller): () => void
}

export function openCalls(): OpenCalls {
  const sessions = new Map<symbol, McpClientPorts>()
  const calls = new Map<symbol, McpCaller & { readonly ended$: Subject<void> }>()
  const pauses$ = new BehaviorSubject(0)
  const portsOf = (sessionId: string): McpClientPorts | undefined =>
    [...sessions.values()].find((ports) => ports.sessionId === sessionId || ports.sessionId === anySession)
  const hold = <Value>(map: Map<symbol, Value>, value: Value): (() => void) => {
    const key = Symbol()
    map.set(key, value)
    return () => {
      map.delete(key)
    }
  }
  return {
    router: {
      current: () => {
        for (const { sessionId, toolCallId, ended$ } of [...calls.values()].toReversed()) {
          const ports = portsOf(sessionId)
          if (ports !== undefined) return { ports, toolCallId, ended$: ended$.asObservable() }
        }
        return undefined
      },
      roots: () => [...new Set([...sessions.values()].flatMap(({ roots }) => roots))],
      pause: () => {
        let isPaused = true
        pauses$.next(pauses$.value + 1)
        return () => {
          if (isPaused) pauses$.next(pauses$.value - 1)
          isPaused = false
        }
      },
    },
    paused$: pauses$.pipe(
      map((count) => count > 0),
      distinctUntilChanged(),
    ),
    join: (ports) => hold(sessions, ports),
    notify: (notice) => {
      for (const ports of sessions.values()) ports.onNotice({ ...notice, message: ports.redact(notice.message) })
    },
    begin: (caller) => {
      const ended$ = new ReplaySubject<void>(1)
      const end = hold(calls, { ...caller, ended$ })
      return () => {
        end()
        ended$.next()
      }
    },
  }
}
