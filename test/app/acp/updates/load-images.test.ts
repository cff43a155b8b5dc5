// Tests that images which are stored beside the log are shown as images, within bounds.
import { NEVER, Observable, firstValueFrom, of, throwError } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { withImages } from '../../../../app/acp/updates/load-images.ts'
import type { ImageSource } from '../../../../app/acp/updates/load-images.ts'
import type { AgentEvent } from '../../../../lib/streams/events/event.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeTool } from '../../../../lib/testing/fake-tool.ts'
import { acpScene } from '../acp-scene.ts'

afterEach(() => void vi.useRealTimers())

const hash = 'a'.repeat(64)
const image = (bytes = 6) => ({ type: 'image' as const, mimeType: 'image/png', blob: hash, bytes })
const end = (...content: object[]) =>
  ({ type: 'tool_execution_end', toolCallId: 'c1', toolName: 'shot', isError: false, content, durationMs: 1 }) as unknown as AgentEvent // prettier-ignore

/** A server whose blob has these bytes, in pages of 4. */
function source(blob: Buffer, answer?: Observable<never>): ImageSource & { readonly offsets: number[] } {
  const offsets: number[] = []
  const request$ = ({ offset = 0 }: { readonly offset?: number }) => {
    offsets.push(offset)
    return answer ?? of({ bytes: blob.length, offset, data: blob.subarray(offset, offset + 4).toString('base64') })
  }
  return { client: { request: request$ as unknown as ImageSource['client']['request'] }, session: 's', offsets }
}

const contentOf = async (event: AgentEvent, from: ImageSource): Promise<unknown> => {
  const loaded = await firstValueFrom(withImages(event, from), { defaultValue: undefined })
  return loaded?.type === 'tool_execution_end' ? loaded.content : loaded
}

describe('an image beside the log', () => {
  it('is loaded page by page, in its place [ACP-updates]', async () => {
    const from = source(Buffer.from('abcdef'))
    const text = { type: 'text', text: 'before' }
    const data = Buffer.from('abcdef').toString('base64')
    expect(await contentOf(end(text, image(), text), from)).toEqual([text, { ...image(), data }, text])
    expect(from.offsets).toEqual([0, 4])
  })

  it.each<[string, number, Observable<never> | undefined]>([
    ['larger than 8 MiB', 9_000_000, undefined],
    ['gone', 6, throwError(() => new Failure('bad_request', 'there is no such blob'))],
  ])('that is %s stays a name', async (_, bytes, answer) => {
    expect(await contentOf(end(image(bytes)), source(Buffer.from('abcdef'), answer))).toEqual([image(bytes)])
  })

  it('that does not come in 10 s stays a name', () => {
    vi.useFakeTimers()
    const events: unknown[] = []
    withImages(end(image()), source(Buffer.alloc(0), NEVER)).subscribe((event) => events.push(event))
    vi.advanceTimersByTime(10_000)
    expect(events).toMatchObject([{ content: [image()] }])
  })

  it('of a message of a person is loaded too', async () => {
    const message = { role: 'user', content: [image()], timestamp: 1 }
    const event = { type: 'message_end', entryId: 'aaaaaaaa', message } as unknown as AgentEvent
    const data = Buffer.from('abcdef').toString('base64')
    expect(await contentOf(event, source(Buffer.from('abcdef')))).toMatchObject({ message: { content: [{ data }] } })
  })

  it('holds up no other event', () => {
    const events: unknown[] = []
    const from = source(Buffer.alloc(0))
    withImages(end({ type: 'text', text: 'a' }), from).subscribe((event) => events.push(event))
    withImages({ type: 'agent_settled' }, from).subscribe((event) => events.push(event))
    expect([events.length, from.offsets]).toEqual([2, []])
  })
})

it('shows a large image of a tool, live and when the session is loaded again [ACP-updates]', async () => {
  const data = Buffer.alloc(300_000, 7).toString('base64')
  const shot = fakeTool('shot', () => of({ type: 'result', content: [{ type: 'image', mimeType: 'image/png', data }] }))
  const call = { toolCalls: [{ name: 'shot', arguments: {} }] }
  const editor = await acpScene({ script: [call, 'Seen.'], tools: [shot] }).editor()
  const { sessionId } = await editor.newSession()
  await editor.prompt(sessionId, 'go')
  const shown = () => editor.of('tool_call_update').filter(({ status }) => status === 'completed')
  const content = [{ type: 'content', content: { type: 'image', data, mimeType: 'image/png' } }]
  expect(shown()).toMatchObject([{ content }])
  await editor.agent.request('session/load', { sessionId, cwd: '/', mcpServers: [] })
  expect(shown()).toMatchObject([{ content }, { content }])
})
