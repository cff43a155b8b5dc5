// Tests what the commands of one event get, and what an event does without an answer of its command.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askCommands, checkMatchers } from '../../../lib/extensions/command-hooks/ask-commands.ts'
import type { CommandHookOptions } from '../../../lib/extensions/command-hooks/ask-commands.ts'
import type { CommandHooks, HookEventName } from '../../../lib/streams/config/hook-settings.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-ask-')))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const groups = (command: string, timeout?: number): CommandHooks[HookEventName] => [
  { hooks: [{ type: 'command', command, ...(timeout !== undefined && { timeout }) }] },
]

function ask(name: HookEventName, command: string, options: Partial<CommandHookOptions> & { timeout?: number } = {}) {
  const { timeout, ...more } = options
  const commands = { [name]: groups(command, timeout) }
  const env = { PATH: process.env['PATH'] ?? '' }
  const all = { commands, sessionId: 'abcdefghij23', cwd: folder, env, isResumed: false, ...more }
  return lastValueFrom(askCommands(all, { name, subject: undefined, fields: { extra: 1 } }), { defaultValue: [] })
}

describe('a command that cannot be started', () => {
  const cwd = '/nonexistent/folder'

  it.each(['PreToolUse', 'UserPromptSubmit'] as const)('blocks what %s decides about', async (name) => {
    const [answer] = await ask(name, 'true', { cwd })
    expect(answer?.block).toMatch(/^The hook true was not run: ./)
    expect(answer?.notice).toBe(answer?.block)
  })

  it.each(['PostToolUse', 'Stop', 'SessionStart'] as const)('is a notice of %s, which blocks nothing', async (name) => {
    const [answer] = await ask(name, 'true', { cwd })
    expect(answer).toEqual({ notice: expect.stringMatching(/^The hook true was not run: ./) as string })
  })
})

describe('a command', () => {
  it('gets the session, its log and the fields of the event', async () => {
    await ask('Stop', 'cat > event.json', { logPath: '/logs/a.jsonl' })
    expect(JSON.parse(readFileSync(path.join(folder, 'event.json'), 'utf8'))).toEqual({
      session_id: 'abcdefghij23',
      transcript_path: '/logs/a.jsonl',
      cwd: folder,
      hook_event_name: 'Stop',
      extra: 1,
    })
  })

  it('gets no path of a log that is not written', async () => {
    await ask('Stop', 'cat > event.json')
    expect(JSON.parse(readFileSync(path.join(folder, 'event.json'), 'utf8'))).not.toHaveProperty('transcript_path')
  })

  it('has as many seconds as its setting says', async () => {
    const [inTime] = await ask('PreToolUse', 'sleep 0.2', { timeout: 30 })
    expect(inTime?.block).toBeUndefined()
  })
})

it('an event without commands has no answers', async () => {
  const options = { commands: {}, sessionId: 'abcdefghij23', cwd: folder, env: {}, isResumed: false }
  const answers$ = askCommands(options, { name: 'Stop', subject: undefined, fields: {} })
  expect(await lastValueFrom(answers$, { defaultValue: undefined })).toEqual([])
})

it('a matcher that is no regular expression is an error that names its setting and file', () => {
  const commands = { PreToolUse: [{ matcher: '(', hooks: [] }] }
  const failure = { code: 'bad_config', data: { key: 'hooks.PreToolUse' } }
  expect(() => {
    checkMatchers({ commands, file: '/settings.json' })
  }).toThrow(
    expect.objectContaining({ ...failure, message: expect.stringContaining(' in /settings.json has') as string }),
  )
  expect(() => {
    checkMatchers({ commands })
  }).toThrow(expect.objectContaining({ ...failure, message: expect.stringContaining('PreToolUse has') as string }))
})
