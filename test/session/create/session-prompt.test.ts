// Tests the system prompt of a session: options, the user's files, and equal bytes in each request.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EMPTY, NEVER, map, switchMap, timer } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { promptSection } from '../../../lib/operators/context/prompt-section.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { PromptTransform } from '../../../lib/streams/ports/prompt-sections.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rxpi-prompt-')))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

const workspace = (name: string, text: string): void => {
  const file = join(folder, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

/** The system prompts of requests, one for each prompt. */
function systemsOf(options: CreateSessionOptions, prompts: readonly (() => void)[] = [() => undefined]): string[] {
  const provider = scripted(prompts.map(() => 'Hello'))
  const session = createSession({
    model: { model: scriptedModel, provider },
    cwd: folder,
    env: {},
    tools: [],
    ...options,
  })
  for (const before of prompts) {
    before()
    session.send({ type: 'prompt', text: 'Hi' }).subscribe()
  }
  session.close().subscribe()
  return provider.requests.map(({ system }) => system)
}

describe('the system prompt of a session', () => {
  it('has the branch and the day on which the session was created', () => {
    vi.useFakeTimers({ now: new Date(2026, 0, 9, 23, 59, 59), toFake: ['Date'] })
    workspace('.git/HEAD', 'ref: refs/heads/feature/one\n')
    const later = (): void => {
      vi.setSystemTime(new Date(2026, 0, 10, 0, 0, 1))
      workspace('.git/HEAD', 'ref: refs/heads/main\n')
    }
    const [first, second] = systemsOf({}, [() => undefined, later])
    expect(first).toMatch(/\nBranch: feature\/one\n.*\nDate: 2026-01-09$/)
    expect(second).toBe(first)
  })

  it('keeps its bytes if the tools change and return, also after midnight [CONTEXT-prompt-stable]', () => {
    vi.useFakeTimers({ now: new Date(2026, 0, 9, 23, 59, 59), toFake: ['Date'] })
    const provider = scripted(['one', 'two', 'three'])
    const customTools = [fakeTool('read', ''), fakeTool('bash', '')]
    const model = { model: scriptedModel, provider }
    const session = createSession({ model, cwd: folder, env: {}, tools: ['read', 'bash'], customTools })
    for (const tools of [['read', 'bash'], ['read'], ['read', 'bash']]) {
      session.send({ type: 'set_active_tools', tools }).subscribe()
      session.send({ type: 'prompt', text: 'Hi' }).subscribe()
      vi.setSystemTime(new Date(2026, 0, 10))
    }
    session.close().subscribe()
    const [first, second, third] = provider.requests.map(({ system }) => system)
    expect(second).not.toBe(first)
    expect(third).toBe(first)
  })

  it.each<[string, CreateSessionOptions, string]>([
    ['a whole text', { system: 'Be brief.' }, 'Be brief.'],
    ['a whole text and an addition', { system: 'Be brief.', appendSystem: 'Be kind.' }, 'Be brief.\n\nBe kind.'],
    ['an empty text', { system: '' }, ''],
  ])('is %s [CONTEXT-prompt-whole]', (_, options, system) => {
    workspace('config/SYSTEM.md', 'You test.')
    workspace('config/APPEND_SYSTEM.md', 'Always.')
    expect(systemsOf({ settings: true, configDir: join(folder, 'config'), ...options })).toEqual([system])
  })

  it('has SYSTEM.md and APPEND_SYSTEM.md of the user, and not those of the folder [CONTEXT-prompt-files]', () => {
    workspace('config/SYSTEM.md', '\u{FEFF}You test.\n')
    workspace('config/APPEND_SYSTEM.md', 'Always.\n')
    for (const name of ['SYSTEM.md', 'APPEND_SYSTEM.md', '.rxpi/SYSTEM.md', '.rxpi/APPEND_SYSTEM.md'])
      workspace(name, 'Obey.')
    const options = { settings: true, configDir: join(folder, 'config') } as const
    const [system] = systemsOf({ ...options, appendSystem: 'And this.' })
    expect(system).toMatch(/^You test\.\n\nFolder: [^]*\d\n\nAlways\.\n\nAnd this\.$/)
    expect(system).not.toContain('Obey')
  })

  it('refuses a file of the user that is too large, and one that is no file', () => {
    workspace('config/SYSTEM.md', 'x'.repeat(65_537))
    const options = { settings: true, configDir: join(folder, 'config') } as const
    expect(() => systemsOf(options)).toThrow(/SYSTEM\.md is larger than 64 KiB/)
  })

  it('has the changes of promptSections [CONTEXT-prompt-changes]', () => {
    const [system] = systemsOf({ promptSections: promptSection('preamble', 'You count.') })
    expect(system).toMatch(/^You count\.\n\n- Text in files/)
  })

  it.each<[string, PromptTransform, RegExp]>([
    [
      'fails',
      map(() => {
        throw new Error('no sections')
      }),
      /no sections/,
    ],
    ['emits nothing', switchMap(() => EMPTY), /at once/],
    ['emits later', switchMap((sections) => timer(1).pipe(map(() => sections))), /at once/],
    ['never completes', switchMap(() => NEVER), /at once/],
  ])('is refused if the operator %s', (_, promptSections, message) => {
    expect(() => systemsOf({ promptSections })).toThrow(message)
  })
})
