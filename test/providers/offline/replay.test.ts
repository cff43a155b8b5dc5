// Tests the replay of a recorded run, and the reports about differences from the record.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordedDeltas } from '../../../lib/providers/offline/message-deltas.ts'
import { replayFile } from '../../../lib/providers/offline/model-files.ts'
import { resolveModel } from '../../../lib/providers/resolve/resolve-model.ts'
import type { ScriptedReply } from '../../../lib/providers/offline/scripted.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { playSession } from '../../support/virtual-session.ts'
import { foldDeltas } from './fold-deltas.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-replay-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const look: ScriptedReply = {
  thinking: 'I should look.',
  text: 'I look.',
  toolCalls: [{ name: 'a', id: 'c1', arguments: { path: 'x' } }],
  usage: { output: 7 },
}

/** Records a session, whose log becomes `session.jsonl`. */
function recorded(script: readonly ScriptedReply[], prompts: readonly string[], answer = 'of a'): void {
  const { session, records } = playSession({
    script,
    tools: [fakeTool('a', answer)],
    at: Object.fromEntries(
      prompts.map((text, index) => [index * 100, ({ send }) => void send({ type: 'prompt', text })]),
    ),
  })
  const lines = records.flatMap(({ line }) => line ?? [])
  writeFileSync(path.join(folder, 'session.jsonl'), [session.headerLine, ...lines, ''].join('\n'))
}

function played(prompt: string, answer = 'of a', history: readonly Message[] = []): VirtualRun {
  const request = {
    ...replayFile('session.jsonl', folder),
    system: '',
    thinkingLevel: 'off',
    tools: [fakeTool('a', answer)],
  } as const
  return virtualRun({
    prompt,
    history,
    script: [],
    ports: { settings: () => request, activeTools: () => request.tools },
  })
}

/** The content, block by block. */
function wordsOf(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map(wordOf)))
}

function wordOf(part: Exclude<Message['content'], string>[number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'thinking':
      return part.thinking
    case 'toolCall':
      return `${part.name} ${JSON.stringify(part.arguments)}`
    case 'image':
      return '<image>'
  }
}

function failure({ messages }: VirtualRun): string | undefined {
  const last = messages.at(-1)
  return last?.role === 'assistant' ? last.errorMessage : undefined
}

describe('replay', () => {
  it('answers each request with its recorded answer', () => {
    recorded([look, 'It is blue.'], ['Which colour?'])
    const run = played('Which colour?')
    expect(run.end).toBe('complete')
    expect(wordsOf(run.messages)).toEqual([
      'Which colour?',
      'I should look.',
      'I look.',
      'a {"path":"x"}',
      'of a',
      'It is blue.',
    ])
    const [, answer] = run.messages
    expect(answer).toMatchObject({ stopReason: 'toolUse', usage: { output: 7 } })
  })

  it('fails with the line of an input that differs', () => {
    recorded(['Hello'], ['Hi'])
    expect(failure(played('Ho'))).toMatch(
      /differs from the recording at message 1, session\.jsonl line 5 \(entry \w{8}\): the recording has the input "Hi", the run "Ho"/,
    )
  })

  it('fails at the end of the record', () => {
    recorded(['Hello'], ['Hi'])
    const more = played('More', 'of a', played('Hi').messages)
    expect(failure(more)).toMatch(/differs from the recording at message 3.*the recording ends here/)
  })

  it('continues if a tool result differs, with a thinking block that says so', () => {
    recorded([look, 'It is blue.'], ['Which colour?'])
    const run = played('Which colour?', 'of another a')
    expect(run.end).toBe('complete')
    expect(wordsOf(run.messages).at(-2)).toMatch(
      /^\[replay\] The result of a \(c1\) differs from session\.jsonl line \d+ \(entry \w+\): it is "of another a", recorded was "of a"$/,
    )
    expect(wordsOf(run.messages).at(-1)).toBe('It is blue.')
  })

  it('fails again with a recorded failure', () => {
    recorded([new Failure('provider_error', 'no key', { data: { kind: 'auth' } })], ['Hi'])
    expect(failure(played('Hi'))).toBe('no key')
  })

  it('is resolved by name, relative to the folder of the session', () => {
    recorded(['Hello'], ['Hi'])
    const names: string[] = []
    resolveModel({ name: 'replay/session.jsonl', env: {}, models: { providers: {} }, cwd: folder }).subscribe(
      ({ model }) => names.push(`${model.provider}/${model.id}`),
    )
    expect(names).toEqual(['replay/session.jsonl'])
  })

  it.each<[string, string, RegExp]>([
    ['no file', '', /cannot be read: there is no such file/],
    ['a file that is no session', '{"a":1}\n', /line 1: it is not the first line of a session/],
    [
      'a session of pi',
      '{"type":"session","version":3,"id":"x"}\n',
      /line 1: it is a session of another program; .* import/,
    ],
    ['a line that is no record', '{"type":"session","v":1}\n{"seq":"one"}\n', /line 2: /],
    ['a line that is neither a record nor a checkpoint', '{"type":"session","v":1}\n{"a":1}\n', /line 2: /],
    [
      'an event that does not fit',
      '{"type":"session","v":1}\n{"seq":1,"at":1,"event":{"type":"turn_start"},"crc":"00000000"}\n',
      /line 2: .*turnId/,
    ],
  ])('is refused for %s', (_, text, message) => {
    if (text !== '') writeFileSync(path.join(folder, 'session.jsonl'), text)
    expect(() => replayFile('session.jsonl', folder)).toThrow(message)
  })

  it('ignores checkpoints, events of a newer version, and an incomplete last line', () => {
    recorded(['Hello'], ['Hi'])
    const more = [
      '{"at":1,"event":{"type":"message_update"},"crc":"x"}',
      '{"seq":99,"at":1,"event":{"type":"newer"},"crc":"00000000"}',
      '{"seq":1',
    ]
    writeFileSync(path.join(folder, 'session.jsonl'), more.join('\n'), { flag: 'a' })
    expect(played('Hi').end).toBe('complete')
  })
})

describe('recordedDeltas', () => {
  it('fold to the recorded answer, with signatures and truncated arguments', () => {
    const content = [
      { type: 'thinking', thinking: 'hm '.repeat(20), thinkingSignature: 's' },
      { type: 'thinking', thinking: '', thinkingSignature: 's', redacted: true },
      { type: 'text', text: 'so 🙂'.repeat(20), textSignature: 't' },
      { type: 'toolCall', id: 'c', name: 'a', arguments: { a: [1, { b: 'x'.repeat(50) }] }, thoughtSignature: 'g' },
      { type: 'toolCall', id: 'd', name: 'a', arguments: {}, argumentsText: '{"a": ' },
    ] as const
    const message = { ...foldDeltas([]), content, stopReason: 'toolUse' } as const
    expect(foldDeltas([...recordedDeltas(message)]).content).toEqual(content)
  })
})
