// Checks modules written for pi in a session of rxpi: tools, commands, events, messages, questions.
// The modules here are our own; scripts/pi-extensions plays those that pi's package ships.
import { filter, firstValueFrom, take, toArray } from 'rxjs'
import { expect, test } from 'vitest'
import { createSession } from '../../../lib/index.ts'
import type { Session } from '../../../lib/index.ts'
import { scripted, scriptedModel } from '../../../lib/testing/index.ts'
import { piExtension } from '../../../lib/extensions/pi/pi-extension.ts'

type Pi = Record<string, (...args: never[]) => unknown>

/** A session with one module, and its requests. */
function open(
  module: (pi: Pi) => unknown,
  script: Parameters<typeof scripted>[0] = [{ text: 'Done.' }, { text: 'Done.' }, { text: 'Done.' }],
) {
  const provider = scripted(script)
  const session = createSession({
    cwd: import.meta.dirname,
    model: { model: scriptedModel, provider },
    approve: 'auto',
    extensions: [piExtension(module, { name: 'own', path: '/own.ts', replaces: ['read'] })],
  })
  return { session, provider, shown: notices(session) }
}

function notices(session: Session): string[] {
  const shown: string[] = []
  session.answering$.subscribe()
  session.events().subscribe((event) => {
    if (event.type === 'ui_request' && event.kind === 'notify') shown.push(event.text)
    else if (event.type === 'ui_request')
      answer(session, event.requestId, event.kind === 'confirm' ? true : (event.options?.[0] ?? 'typed'))
    else if ((event.type === 'warning' || event.type === 'error') && event.code === 'extension')
      shown.push(`${event.type}: ${event.message}`)
    else if (event.type === 'warning') shown.push(`${event.code}: ${event.message}`)
  })
  return shown
}

function answer(session: Session, requestId: string, outcome: unknown): void {
  queueMicrotask(() => {
    session.send({ type: 'ui_response', requestId, outcome }).subscribe()
  })
}

function settlement(session: Session): Promise<unknown> {
  return firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), {
    defaultValue: undefined,
  })
}

function collectUpdates(session: Session): string[] {
  const updates: string[] = []
  session.events$.subscribe((event) => {
    if (event.type === 'tool_execution_update') updates.push(event.content)
  })
  return updates
}

async function prompt(session: Session, text: string): Promise<void> {
  const settled = settlement(session)
  const { status } = await firstValueFrom(session.send({ type: 'prompt', text }), { defaultValue: { status: 'none' } })
  if (status === 'started') await settled
}

test('a tool of pi gets its arguments and a context, reports progress, and its error is a result', async () => {
  const calls: unknown[] = []
  const tool = {
    name: 'look',
    description: 'Looks',
    promptSnippet: 'Look at things',
    parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
    execute: (
      id: string,
      args: { at: string },
      signal: AbortSignal,
      onUpdate: (partial: unknown) => void,
      context: { cwd: string },
    ) => {
      calls.push([id, args, signal.aborted, context.cwd])
      if (args.at === 'bad') throw new Error('cannot look')
      const long = 'a long line of output '.repeat(20)
      for (const text of ['half', 'half done', 'checking', `checking ${long}`, `${long.slice(4)}end`])
        onUpdate({ content: [{ type: 'text', text }] })
      return Promise.resolve({ content: [{ type: 'text', text: `saw ${args.at}` }], details: { count: 1 } })
    },
  }
  const { session, provider } = open(
    (pi) => pi['registerTool']?.(tool as never),
    [
      {
        toolCalls: [
          { id: 'a', name: 'look', arguments: { at: 'here' } },
          { id: 'b', name: 'look', arguments: { at: 'bad' } },
        ],
      },
      { text: 'Done.' },
    ],
  )
  const ends = firstValueFrom(
    session.events$.pipe(
      filter((event) => event.type === 'tool_execution_end'),
      take(2),
      toArray(),
    ),
    { defaultValue: [] },
  )
  const updates = collectUpdates(session)
  await prompt(session, 'Look')
  expect(updates.join('')).toBe(`half done\nchecking ${'a long line of output '.repeat(20)}end`)
  expect(calls).toEqual([
    ['a', { at: 'here' }, false, import.meta.dirname],
    ['b', { at: 'bad' }, false, import.meta.dirname],
  ])
  expect(
    (await ends)
      .toSorted((one, other) => one.toolCallId.localeCompare(other.toolCallId))
      .map(({ isError, content, details }) => [isError, content, details]),
  ).toEqual([
    [false, [{ type: 'text', text: 'saw here' }], { count: 1 }],
    [true, [{ type: 'text', text: 'cannot look' }], undefined],
  ])
  expect(provider.requests[0]?.system).toContain('- look: Look at things')
  await firstValueFrom(session.close(), { defaultValue: undefined })
})

test('handlers change the input, the prompt, calls, results and the context of requests', async () => {
  const { session, provider } = open(
    (pi) => {
      const on = pi['on'] as unknown as (type: string, handler: (event: never) => unknown) => void
      on('input', ({ text }: { text: string }) => ({ action: 'transform', text: `${text}!` }))
      on('before_agent_start', ({ systemPrompt }: { systemPrompt: string }) => ({
        systemPrompt: `${systemPrompt}\nBe brief.`,
        message: { customType: 'note', content: 'a note', display: false },
      }))
      on('tool_call', (event: { input: { path: string } }) => {
        if (event.input.path === 'secret') return { block: true, reason: 'no secrets' }
        event.input.path = 'pi-extension.test.ts'
        return undefined
      })
      on('tool_result', () => ({ content: [{ type: 'text', text: 'changed' }] }))
      on('context', ({ messages }: { messages: { role: string }[] }) => ({
        messages: [...messages, { role: 'user', content: 'last', timestamp: 1 }],
      }))
    },
    [
      {
        toolCalls: [
          { id: 'a', name: 'read', arguments: { path: 'x' } },
          { id: 'b', name: 'read', arguments: { path: 'secret' } },
        ],
      },
      { text: 'Done.' },
    ],
  )
  await prompt(session, 'Read')
  const [first, second] = provider.requests
  expect(first?.system).toMatch(/\nBe brief\.$/)
  expect(first?.messages.map(({ content }) => content)).toEqual(['Read!', [{ type: 'text', text: 'a note' }], 'last'])
  expect(second?.messages.filter(({ role }) => role === 'toolResult').map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'changed' }],
    [{ type: 'text', text: 'no secrets' }],
  ])
  await firstValueFrom(session.close(), { defaultValue: undefined })
})

test('a command asks, sends messages, and writes entries that the module reads again', async () => {
  const answers: unknown[] = []
  const { session, provider, shown } = open((pi) => {
    pi['registerCommand']?.(
      'go' as never,
      {
        description: 'Goes',
        handler: async (
          args: string,
          context: {
            ui: Record<string, (...parts: unknown[]) => Promise<unknown>>
            sessionManager: { getEntries(): { type: string; customType?: string; data?: unknown }[] }
          },
        ) => {
          answers.push(
            args,
            await context.ui['confirm']?.('Sure?', 'Really'),
            await context.ui['select']?.('Which?', ['a', 'b']),
            await context.ui['input']?.('Name'),
          )
          pi['appendEntry']?.('count' as never, { n: 1 } as never)
          answers.push(
            context.sessionManager
              .getEntries()
              .filter(({ type }) => type === 'custom')
              .map(({ customType, data }) => [customType, data]),
          )
          pi['sendMessage']?.({ customType: 'hint', content: 'a hint', display: true } as never)
          pi['sendUserMessage']?.('on we go' as never)
        },
      } as never,
    )
  })
  const settled = settlement(session)
  await prompt(session, '/go now')
  await settled
  expect(answers).toEqual(['now', true, 'a', 'typed', [['count', { n: 1 }]]])
  expect(provider.requests[0]?.messages.map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'a hint' }],
    'on we go',
  ])
  expect(shown).toEqual(['hint:\na hint'])
  await firstValueFrom(session.close(), { defaultValue: undefined })
})

test('what rxpi lacks is named: once as a notice, or as the failure of the call', async () => {
  const { session, shown } = open((pi) => {
    pi['on']?.('project_trust' as never, (() => undefined) as never)
    pi['on']?.('project_trust' as never, (() => undefined) as never)
    pi['registerShortcut']?.(
      'ctrl+x' as never,
      { handler: () => pi['sendUserMessage']?.('from the key' as never) } as never,
    )
    pi['registerCommand']?.(
      'new' as never,
      { handler: (_args: string, context: { newSession(): Promise<unknown> }) => context.newSession() } as never,
    )
  })
  await expect(prompt(session, '/new')).rejects.toThrow('ctx.newSession of pi is not available in rxpi')
  const settled = settlement(session)
  await prompt(session, '/key:ctrl-x')
  await settled
  expect(shown.filter((text) => text.includes('project_trust'))).toHaveLength(1)
  expect(session.extensionUi?.().keys).toEqual([
    { extension: 'own', key: 'ctrl+x', command: 'key:ctrl-x', description: '' },
  ])
  await firstValueFrom(session.close(), { defaultValue: undefined })
})

test('a module that exports no function is refused', () => {
  expect(() => piExtension({}, { name: 'own', path: '/own.ts' })).toThrow('/own.ts exports no function')
})
