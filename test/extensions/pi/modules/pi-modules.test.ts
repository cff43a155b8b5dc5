// Checks the modules that extensions written for pi import.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  applyEdits,
  bashToolFor,
  createReadTool,
  createWriteTool,
} from '../../../../lib/extensions/pi/modules/builtin-tools.ts'
import { convertToLlm, serializeConversation } from '../../../../lib/extensions/pi/modules/conversation-text.ts'
import { parseFrontmatter } from '../../../../lib/extensions/pi/modules/pi-frontmatter.ts'
import { createAssistantMessageEventStream, uuidv7 } from '../../../../lib/extensions/pi/modules/ai-names.ts'
import { piModules } from '../../../../lib/extensions/pi/modules/pi-modules.ts'
import { createFindTool, createGrepTool, createLsTool } from '../../../../lib/extensions/pi/modules/search-tools.ts'
import { truncateHead, truncateTail } from '../../../../lib/extensions/pi/modules/truncate-output.ts'
import type { BashOperations } from '../../../../lib/extensions/pi/modules/file-operations.ts'
import type { PiTool } from '../../../../lib/extensions/pi/contract/pi-shapes.ts'

const absent = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('no package'), { code: 'ERR_MODULE_NOT_FOUND' }))

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'rxpi-pi-'))
  onTestFinished(() => {
    rmSync(made, { recursive: true })
  })
  writeFileSync(path.join(made, 'a.txt'), 'one\ntwo\nthree\n')
  return made
}

async function run(tool: PiTool, args: object): Promise<string> {
  const result = await tool.execute('id', args, new AbortController().signal, undefined, {})
  return (result?.content ?? []).map(({ text }) => text).join('\n')
}

test('each module is there under both names, and a name that rxpi lacks fails when it is used', async () => {
  const modules = await piModules({ variables: {}, link: {} }, absent)
  const agent = modules['@earendil-works/pi-coding-agent'] as Record<string, unknown>
  expect(modules['@mariozechner/pi-coding-agent']).toBe(agent)
  expect(Object.keys(modules)).toContain('@earendil-works/pi-ai/compat')
  expect(agent['VERSION']).toBe('0.87.1')
  expect(agent['then']).toBeUndefined()
  const Missing = agent['SessionSelectorComponent'] as new () => object
  class Own extends Missing {} // a module may extend it without harm
  expect(() => new Own()).toThrow('SessionSelectorComponent of pi-coding-agent of pi is not available in rxpi')
  const { inMemory } = agent['SessionManager'] as { inMemory: () => unknown }
  expect(inMemory).toThrow('SessionManager.inMemory of pi-coding-agent of pi is not available')
  expect(() => (agent['main'] as () => unknown)()).toThrow('main of pi-coding-agent of pi is not available')
  expect(() => new (agent['CustomEditor'] as new () => object)()).toThrow('CustomEditor') // the package pi-tui is missing
})

test('an error of the optional package other than its absence is not hidden', async () => {
  await expect(piModules({ variables: {}, link: {} }, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
})

const createBashTool = bashToolFor({ PATH: process.env['PATH'], OWN: 'of the session' })

test('commands get the environment of the session, never that of the server', async () => {
  vi.stubEnv('RXPI_TEST_SECRET', 'of the server')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const modules = await piModules({ variables: { PATH: process.env['PATH'], OWN: 'of the session' }, link: {} }, absent)
  const agent = modules['@earendil-works/pi-coding-agent'] as {
    createLocalBashOperations: () => BashOperations
    createBashTool: (cwd: string) => PiTool
    createCodingTools: (cwd: string) => PiTool[]
  }
  const command = 'echo "$OWN, $RXPI_TEST_SECRET"'
  let output = ''
  await agent.createLocalBashOperations().exec(command, folder(), { onData: (data) => (output += data.toString()) })
  expect(output).toBe('of the session, \n')
  expect(await run(agent.createBashTool(folder()), { command })).toBe('of the session,')
  const bash = agent.createCodingTools(folder()).find(({ name }) => name === 'bash')
  expect(bash && (await run(bash, { command }))).toBe('of the session,')
})

test('built-in tools work on this machine, and on the operations of an extension', async () => {
  const cwd = folder()
  expect(await run(createReadTool(cwd), { path: 'a.txt', offset: 2, limit: 1 })).toBe('two')
  await expect(run(createReadTool(cwd), { path: 'a.txt', offset: 9 })).rejects.toThrow('Line 9 is behind the end')
  expect(await run(createWriteTool(cwd), { path: 'sub/b.txt', content: 'b' })).toBe('Successfully wrote to sub/b.txt')
  expect(readFileSync(path.join(cwd, 'sub/b.txt'), 'utf8')).toBe('b')
  expect(await run(createLsTool(cwd), {})).toBe('a.txt\nsub/')
  expect(await run(createFindTool(cwd), { pattern: '*.txt' })).toBe('a.txt\nsub/b.txt')
  expect(await run(createGrepTool(cwd), { pattern: 'T.O', ignoreCase: true })).toBe('a.txt:2: two')
  expect(await run(createBashTool(cwd), { command: 'echo out; echo err >&2' })).toBe('out\nerr')
  const divided = {
    exec: (_command: string, _cwd: string, { onData }: { onData(data: Buffer): void }) => {
      for (const byte of Buffer.from('ä€')) onData(Buffer.of(byte))
      return Promise.resolve({ exitCode: 0 })
    },
  }
  expect(await run(createBashTool(cwd, { operations: divided }), { command: 'x' })).toBe('ä€')
  await expect(run(createBashTool(cwd), { command: 'echo no; exit 3' })).rejects.toThrow(
    'no\n\nCommand exited with code 3',
  )
  await expect(run(createBashTool(cwd), { command: 'sleep 9', timeout: 0.05 })).rejects.toThrow('timeout:0.05')
  const remote = createReadTool(cwd, { operations: { access: () => Promise.resolve(), readFile: (file) => Promise.resolve(Buffer.from(`at ${file}`)) } }) // prettier-ignore
  expect(await run(remote, { path: '/far/x' })).toBe('at /far/x')
  const hooked = createBashTool(cwd, { spawnHook: ({ command, env }) => ({ command: `${command} $OWN`, cwd: '/', env: { ...env, OWN: 'x' } }) }) // prettier-ignore
  expect(await run(hooked, { command: 'pwd; echo' })).toBe('/\nx')
})

test.each([
  {
    edits: [
      { oldText: 'a', newText: '1' },
      { oldText: 'c', newText: '3' },
    ],
    after: '1 b 3',
  },
  { edits: [{ oldText: 'z', newText: '1' }], after: 'The text of edit 1 does not occur in f' },
  { edits: [{ oldText: ' ', newText: '1' }], after: 'The text of edit 1 occurs several times in f' },
  {
    edits: [
      { oldText: 'a b', newText: '1' },
      { oldText: 'b c', newText: '2' },
    ],
    after: 'Edits of f overlap',
  },
])('edits are exact, once each and apart: $after', ({ edits, after }) => {
  const edit = (): string => applyEdits('a b c', edits, 'f')
  if (/^\d/.test(after)) expect(edit()).toBe(after)
  else expect(edit).toThrow(after)
})

test('texts are cut to whole lines, from the start or to the end', () => {
  const text = 'aa\nbb\ncc'
  expect(truncateHead(text, { maxLines: 2 })).toMatchObject({ content: 'aa\nbb', truncatedBy: 'lines', outputLines: 2, totalLines: 3 }) // prettier-ignore
  expect(truncateTail(text, { maxBytes: 5 })).toMatchObject({ content: 'bb\ncc', truncatedBy: 'bytes', outputBytes: 5 })
  expect(truncateHead('long line', { maxBytes: 4 })).toMatchObject({ content: '', firstLineExceedsLimit: true })
  expect(truncateTail('long line', { maxBytes: 4 })).toMatchObject({ content: 'line', lastLinePartial: true })
  expect(truncateHead(text)).toMatchObject({ content: text, truncated: false, truncatedBy: null })
})

test('front matter has texts, numbers, truths and lists; a line that is none is refused', () => {
  const text = '---\nname: x\nn: 2\non: true\ntools: read, bash\nlist:\n  - a\n  - "b: c"\n---\nBody\n'
  expect(parseFrontmatter(text)).toEqual({ frontmatter: { name: 'x', n: 2, on: true, tools: 'read, bash', list: ['a', 'b: c'] }, body: 'Body\n' }) // prettier-ignore
  expect(parseFrontmatter('No block')).toEqual({ frontmatter: {}, body: 'No block' })
  expect(() => parseFrontmatter('---\nwhat is this\n---\n')).toThrow('"what is this"')
})

test('messages of extensions become input, and a conversation one text', () => {
  const call = { type: 'toolCall', name: 'ls', arguments: {} }
  const messages = [
    { role: 'custom', customType: 'note', content: 'a note', timestamp: 1 },
    { role: 'assistant', content: [{ type: 'text', text: 'Hi' }, call] },
    { role: 'unknown' },
  ]
  const llm = convertToLlm(messages)
  expect(llm.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(serializeConversation(llm)).toBe('[User]: a note\n\n[Assistant]: Hi\n[call of ls with {}]')
})

test('a stream of a provider is read as it is filled, and has a result', async () => {
  const stream = createAssistantMessageEventStream()
  const read = (async () => {
    const types: unknown[] = []
    for await (const { type } of stream) types.push(type)
    return types
  })()
  stream.push({ type: 'start' })
  stream.push({ type: 'done', message: 'all' })
  stream.push({ type: 'late' })
  expect(await read).toEqual(['start', 'done'])
  expect(await stream.result()).toBe('all')
  expect(uuidv7()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
