// Tests the answers of the demo model.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Type } from '@sinclair/typebox'
import { lastValueFrom, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { demo } from '../../../lib/providers/offline/demo.ts'
import { demoIntent, demoModel } from '../../../lib/providers/offline/demo-answers.ts'
import type { AssistantMessage, Message, ToolCall } from '../../../lib/streams/messages/message.ts'
import { aRequest } from './a-request.ts'
import { foldDeltas } from './fold-deltas.ts'
import { aResult, aUser } from '../adapter/messages.ts'

const tools = ['read', 'bash', 'write', 'edit'].map((name) => ({ name, description: '', parameters: Type.Object({}) }))

async function answerTo(messages: readonly Message[], active = tools): Promise<AssistantMessage> {
  const request = aRequest({ model: demoModel, messages, tools: active })
  return foldDeltas(await lastValueFrom(demo(request).pipe(toArray()), { defaultValue: [] }))
}

function textOf({ content }: AssistantMessage): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

function callsOf({ content }: AssistantMessage): ToolCall[] {
  return content.filter((block) => block.type === 'toolCall')
}

/** Runs a conversation: answers each call with the result of `execute`, until the model makes no more calls. */
async function conversation(question: string, execute: (call: ToolCall) => string, active = tools) {
  const messages: Message[] = [aUser(question)]
  const calls: ToolCall[] = []
  for (;;) {
    const answer = await answerTo(messages, active)
    const requests = callsOf(answer)
    if (requests.length === 0) return { text: textOf(answer), calls }
    if (calls.length > 5) throw new Error('it goes round in circles')
    messages.push(answer, ...requests.map((call) => ({ ...aResult(call.id, execute(call)), toolName: call.name })))
    calls.push(...requests)
  }
}

describe('"What is in this folder?"', () => {
  let folder: string
  beforeEach(() => (folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-demo-')))))
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })
  /** Imitates the real tools as far as the demo model uses them. */
  const execute = ({ name, arguments: args }: ToolCall): string =>
    name === 'bash'
      ? execFileSync('bash', ['-c', String(args['command'])], { cwd: folder, encoding: 'utf8' })
      : execFileSync('cat', [String(args['path'])], { cwd: folder, encoding: 'utf8' })

  it('answers from the listing and the README', async () => {
    mkdirSync(path.join(folder, 'src'))
    writeFileSync(path.join(folder, 'README.md'), '# Tea timer\n\nTells when the tea is ready.\n')
    writeFileSync(path.join(folder, 'a b.txt'), '')
    const { text, calls } = await conversation('What is in this folder?', execute)
    expect(calls.map(({ name }) => name)).toEqual(['bash', 'read'])
    expect(text).toContain(`The folder ${folder} holds 1 folder and 2 files.`)
    expect(text).toContain('Folders: src/')
    expect(text).toContain('Files: README.md, a b.txt')
    expect(text).toContain('README.md begins:\n> # Tea timer\n> Tells when the tea is ready.')
    expect(text).toContain('not a language model')
  })

  it('describes package.json if there is no README', async () => {
    writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ name: 'tea', description: 'Timer', scripts: { test: 'x' } }),
    )
    const { text } = await conversation('what files are in here?', execute)
    expect(text).toContain('package.json describes "tea": Timer. Its scripts: test.')
  })

  it('reports an empty folder', async () => {
    const { text, calls } = await conversation('What is in this directory?', execute)
    expect(calls).toHaveLength(1)
    expect(text).toContain(`The folder ${folder} is empty.`)
  })

  it('lists the first entries and counts the others', async () => {
    for (let n = 10; n < 40; n++) writeFileSync(path.join(folder, `file-${n}`), '')
    const { text } = await conversation('List the files', execute)
    expect(text).toContain('0 folders and 30 files')
    expect(text).toContain('file-21 and 18 more')
  })

  it('counts all entries of a truncated listing', async () => {
    const cut = 'x-2999\nx-3000\n/home/me\n[This is lines 2999-3001 of 3001 (20.1KB in all). All of it: /tmp/out]'
    const { text } = await conversation('What is in this folder?', () => cut)
    expect(text).toContain('The folder /home/me holds 3000 entries, among them 0 folders and 2 files.')
  })

  it('only lists if the tool read is not active', async () => {
    writeFileSync(path.join(folder, 'README.md'), 'x')
    const { calls } = await conversation(
      'What is in this folder?',
      execute,
      tools.filter(({ name }) => name === 'bash'),
    )
    expect(calls.map(({ name }) => name)).toEqual(['bash'])
  })

  it('reports that the tool bash is not active', async () => {
    const { text, calls } = await conversation('What is in this folder?', execute, [])
    expect({ calls, text }).toEqual({ calls: [], text: 'For that I need the tool bash, which is not active here.' })
  })
})

it('reports a folder that cannot be listed', async () => {
  const first = await answerTo([aUser('What is in this folder?')])
  const failed = { ...aResult(callsOf(first)[0]?.id ?? '', 'Permission denied'), toolName: 'bash', isError: true }
  expect(textOf(await answerTo([aUser('What is in this folder?'), first, failed]))).toContain('Permission denied')
})

it.each([
  ['read notes.txt', { name: 'read', arguments: { path: 'notes.txt' } }, 'notes.txt holds:\n\n```\nresult\n```'],
  ['run git status', { name: 'bash', arguments: { command: 'git status' } }, '`git status` printed:\n\n```\nresult'],
  ['write a.txt: hello there', { name: 'write', arguments: { path: 'a.txt', content: 'hello there\n' } }, 'result'],
  [
    'In a.txt replace "x" with "y"',
    { name: 'edit', arguments: { path: 'a.txt', edits: [{ oldText: 'x', newText: 'y' }] } },
    'result',
  ],
])('calls the matching tool for "%s"', async (question, call, says) => {
  const { text, calls } = await conversation(question, () => 'result')
  expect(calls).toMatchObject([call])
  expect(text).toContain(says)
})

it('answers a second question independently of the first', async () => {
  const first = await answerTo([aUser('run ls')])
  const call = callsOf(first)[0]
  const history = [aUser('run ls'), first, { ...aResult(call?.id ?? ''), toolName: 'bash' }, aUser('run pwd')]
  const second = callsOf(await answerTo(history))[0]
  expect(second).toMatchObject({ name: 'bash', arguments: { command: 'pwd' } })
  expect(second?.id).not.toBe(call?.id)
})

it.each(['Refactor the parser, please.', 'hello', ''])(
  'answers "%s" with its abilities and the way to a real model',
  async (question) => {
    const { text, calls } = await conversation(question, () => '')
    expect(calls).toEqual([])
    expect(text).toContain('What is in this folder?')
    expect(text).toContain('OPENAI_API_KEY')
  },
)

it('gives the same answer each time, in small pieces', async () => {
  const request = aRequest({ model: demoModel, messages: [aUser('help')], tools })
  const [first, second] = await Promise.all(
    [1, 2].map(() => lastValueFrom(demo(request).pipe(toArray()), { defaultValue: [] })),
  )
  expect(first).toEqual(second)
  expect(first?.filter(({ type }) => type === 'text_delta').length).toBeGreaterThan(10)
})

describe('demoIntent', () => {
  it.each([
    ["What's in this folder?", { kind: 'look' }],
    ['What is in here?', { kind: 'look' }],
    ['what files are in this project', { kind: 'look' }],
    ['Show me the files', { kind: 'look' }],
    ['Describe this repository', { kind: 'look' }],
    ['read `src/a.ts`', { kind: 'read', path: 'src/a.ts' }],
    ['Please show me the file a.txt.', { kind: 'read', path: 'a.txt' }],
    ['execute: ls -la | head', { kind: 'run', command: 'ls -la | head' }],
    ['run `npm test`', { kind: 'run', command: 'npm test' }],
    ['create notes.md with # Notes', { kind: 'write', path: 'notes.md', content: '# Notes' }],
    ['replace foo with bar in a.ts', { kind: 'edit', path: 'a.ts', from: 'foo', to: 'bar' }],
    ['What can you do?', { kind: 'help' }],
    ['Why does the build fail?', { kind: 'unknown' }],
  ])('recognises "%s"', (question, intent) => {
    expect(demoIntent(question)).toEqual(intent)
  })
})
