// Tests that a session expands what begins with a slash, once, and records both the text and the command.
import { delay, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { SessionCommand } from '../../../lib/session/contract/session.ts'
import type { PromptCommands } from '../../../lib/streams/ports/prompt-commands.ts'
import { parseSlash } from '../../../lib/streams/ports/prompt-commands.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { SessionScene } from '../../support/virtual-session.ts'

/** `/fix ARGS` is a template; `/gone` one whose file is gone. */
function commands({ delayMs = 0 } = {}): PromptCommands {
  return {
    list: () => of({ commands: [], problems: [] }),
    expand: (text) => {
      const { name, args = '' } = parseSlash(text) ?? {}
      if (name === 'gone') return throwError(() => new Failure('bad_request', 'The template is gone'))
      const expanded =
        name === 'fix' ? { text: `Repair ${args}.`, invocation: { kind: 'template', name, args } } : undefined
      return delayMs === 0 ? of(expanded) : of(expanded).pipe(delay(delayMs))
    },
  }
}

const invocation = { kind: 'template', name: 'fix', args: 'a  b' }
const typed = '/fix a  b'

function play(at: SessionScene['at'], script = ['one', 'two'], options = {}) {
  return playSession({ script, options: { commands: commands(options) }, at: at ?? {} })
}

describe('an input that begins with a slash', () => {
  it('is expanded for the model; the log has the text and the command [COMMAND-prompt, CONTEXT-commands-log]', () => {
    const { requests, events, session } = play({ 0: ({ send }) => send({ type: 'prompt', text: typed }) })
    expect(requests[0]?.messages.at(-1)?.content).toBe('Repair a  b.')
    const ends = events.flatMap((event) => (event.type === 'message_end' ? [event.message] : []))
    expect(ends[0]).toMatchObject({ role: 'user', content: 'Repair a  b.', invocation })
    expect([...session.state$.value.entries.values()][0]?.message).toMatchObject({ invocation })
  })

  it('keeps its images', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const { requests } = play({ 0: ({ send }) => send({ type: 'prompt', text: typed, images: [image] }) })
    expect(requests[0]?.messages.at(-1)?.content).toEqual([{ type: 'text', text: 'Repair a  b.' }, image])
  })

  it.each(['/nobody', 'fix a', ' /fix a', '/etc/hosts'])('is sent as it is if no command has its name: %j', (text) => {
    const { requests, events } = play({ 0: ({ send }) => send({ type: 'prompt', text }) })
    expect(requests[0]?.messages.at(-1)?.content).toBe(text)
    expect(JSON.stringify(events)).not.toContain('invocation')
  })

  it('is sent as it is with `expand: false`', () => {
    const { requests } = play({ 0: ({ send }) => send({ type: 'prompt', text: typed, expand: false }) })
    expect(requests[0]?.messages.at(-1)?.content).toBe(typed)
  })

  it('fails without an event if its file is gone', () => {
    const { sent, events } = play({ 0: ({ send }) => send({ type: 'prompt', text: '/gone' }) })
    expect(sent[0]?.failure).toMatchObject({ code: 'bad_request', message: 'The template is gone' })
    expect(events).toEqual([])
  })

  it.each(['steer', 'follow_up'] as const)('is expanded when it is queued by %s, and delivered so', (type) => {
    const { session, events, requests } = play({
      0: ({ send }) => send({ type, text: typed }),
      10: ({ send }) => send({ type: 'prompt', text: 'Hi' }),
    })
    expect(events[0]).toMatchObject({ type: 'queue_update', content: 'Repair a  b.', invocation })
    expect(requests.map(({ messages }) => messages.at(-1)?.content)).toContain('Repair a  b.')
    const messages = [...session.state$.value.entries.values()].map(({ message }) => message)
    expect(messages).toContainEqual(expect.objectContaining({ content: 'Repair a  b.', invocation }))
  })

  it('is expanded again when it is edited, and plain if the new text is', () => {
    const { session } = play({
      0: ({ send }) => send({ type: 'steer', text: typed }),
      10: ({ send, session: { state$ } }) => {
        const queueId = state$.value.queue[0]?.queueId ?? ''
        send({ type: 'edit_queued', queueId, text: '/fix c' })
        expect(state$.value.queue[0]).toMatchObject({ content: 'Repair c.', invocation: { args: 'c' } })
        send({ type: 'edit_queued', queueId, text: 'plain' })
      },
    })
    expect(session.state$.value.queue).toEqual([
      { queueId: expect.any(String) as unknown, queue: 'steering', content: 'plain' },
    ])
  })

  it('is one prompt for one opId, whatever its template says by then; another text is refused', () => {
    const command: SessionCommand = { type: 'prompt', text: typed }
    const { sent, requests } = play({
      0: ({ send }) => send(command, { opId: 'op' }),
      500: ({ send }) => {
        send(command, { opId: 'op' })
        send({ type: 'prompt', text: '/fix other' }, { opId: 'op' })
      },
    })
    expect(requests).toHaveLength(1)
    expect(sent[1]?.result).toEqual(sent[0]?.result)
    expect(sent[2]?.failure).toMatchObject({ code: 'bad_request' })
  })

  it('waits for its file, and is refused if the session is closed meanwhile', () => {
    const { sent, events } = play(
      {
        0: ({ send }) => send({ type: 'prompt', text: typed }),
        50: ({ session }) => session.close().subscribe(),
      },
      ['one'],
      { delayMs: 100 },
    )
    expect(sent[0]?.failure).toMatchObject({ code: 'unknown_session' })
    expect(events.some(({ type }) => type === 'agent_start')).toBe(false)
  })
})

describe('an abort while an input is being expanded', () => {
  const aborted = (command: SessionCommand) =>
    play({ 0: ({ send }) => send(command), 50: ({ send }) => send({ type: 'abort' }) }, ['one'], { delayMs: 100 })

  it('cancels a prompt: no run starts [COMMAND-abort]', () => {
    const { sent, events } = aborted({ type: 'prompt', text: typed })
    expect(sent).toMatchObject([
      { failure: { code: 'cancelled' }, answeredAt: 50 },
      { result: {}, answeredAt: 50 },
    ])
    expect(events).toEqual([])
  })

  it('cancels no queued input', () => {
    const { session } = aborted({ type: 'follow_up', text: typed })
    expect(session.state$.value.queue).toMatchObject([{ content: 'Repair a  b.' }])
  })
})
