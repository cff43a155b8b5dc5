// Sends requests of AG-UI to a gateway of a test, and reads the frames of the answer.
import { randomUUID } from 'node:crypto'
import { HttpAgent, verifyEvents } from '@ag-ui/client'
import type { BaseEvent } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import { from } from 'rxjs'
import { bearer } from '../gateway-scene.ts'

export function agentAt(url: string, threadId: string = randomUUID()): HttpAgent {
  return new HttpAgent({ url: `${url}/ag-ui`, headers: bearer, threadId })
}

export interface Frame {
  readonly id: string
  readonly event: BaseEvent & Record<string, unknown>
}

export function framesIn(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter((part) => part.includes('data: '))
    .map((part) => ({
      id: /^id: (.*)$/m.exec(part)?.[1] ?? '',
      event: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? '') as Frame['event'],
    }))
}

export function post(
  url: string,
  body: object,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${url}/ag-ui`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
}

export const input = (threadId: string, content: string, runId = 'run-1') => ({
  threadId,
  runId,
  messages: [{ id: 'm1', role: 'user', content }],
})

export const typesOf = (frames: readonly Frame[]) => frames.map(({ event }) => event.type as string)
export const textOf = (frames: readonly Frame[]) =>
  frames
    .flatMap(({ event }) => ((event.type as string) === 'TEXT_MESSAGE_CONTENT' ? [String(event['delta'])] : []))
    .join('')

/** What `verifyEvents` says against the events. */
export function faultOf(frames: readonly Frame[]): unknown {
  let fault: unknown
  from(frames.map(({ event }) => EventSchemas.parse(event) as BaseEvent))
    .pipe(verifyEvents())
    .subscribe({ error: (error: unknown) => (fault = error) })
  return fault
}
