// Tests the skills and templates of a program's session.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filter, firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commandFolders, createPromptCommands, createSession } from '../../../lib/index.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { resultOf } from '../../support/result-of.ts'

let folder: string
const at = (...names: readonly string[]): string => path.join(folder, ...names)
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-program-commands-'))
  write('home/.claude/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: Reads forms.\n---\nThe text.\n')
  write('config/prompts/fix.md', 'Repair $1.')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, text: string): void {
  mkdirSync(path.dirname(at(file)), { recursive: true })
  writeFileSync(at(file), text)
}

/** The user messages and notes of a session after one prompt. */
async function promptOf(options: CreateSessionOptions): Promise<readonly unknown[]> {
  const env = { HOME: at('home') }
  const session = createSession({ cwd: folder, configDir: at('config'), env, model: 'demo/guide', ...options })
  const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), {
    defaultValue: undefined,
  })
  await resultOf(session.send({ type: 'prompt', text: '/fix it' }))
  await settled
  const messages = transcript(session.state$.value)
  await resultOf(session.close()).catch(() => undefined)
  return messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content)
}

it.each<[string, CreateSessionOptions, string]>([
  ['settings: true', { settings: true }, 'Repair it.'],
  ['commands: true', { commands: true }, 'Repair it.'],
  ['neither', {}, '/fix it'],
  ['commands: false', { settings: true, commands: false }, '/fix it'],
])('%s decides whether a prompt is a command', async (_, options, text) => {
  expect(JSON.stringify(await promptOf(options))).toContain(text)
})

it('takes commands of other folders, and tells the model of their skills', async () => {
  const commands = createPromptCommands(commandFolders({ config: at('none'), homeFolder: at('home') }))
  const found = JSON.stringify(await promptOf({ commands }))
  expect(found).toContain('/fix it')
})

it('tells the model of a skill that comes while the session is open', async () => {
  const env = { HOME: at('home') }
  const session = createSession({ cwd: folder, configDir: at('config'), env, model: 'demo/guide', commands: true })
  const prompt = async (text: string): Promise<void> => {
    const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), {
      defaultValue: undefined,
    })
    await resultOf(session.send({ type: 'prompt', text }))
    await settled
  }
  await prompt('Hello')
  write('home/.claude/skills/late/SKILL.md', '---\nname: late\ndescription: Comes late.\n---\nText.\n')
  await prompt('Again')
  await prompt('And again')
  const notes = transcript(session.state$.value).filter((message) => JSON.stringify(message).includes('Comes late.'))
  await resultOf(session.close()).catch(() => undefined)
  expect(notes).toMatchObject([{ role: 'context', kind: 'skill' }])
})

it('has the skills in its prompt, or in notes if their YAML has to be loaded first', async () => {
  const env = { HOME: at('home') }
  const session = createSession({ cwd: folder, configDir: at('config'), env, model: 'demo/guide', commands: true })
  const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), {
    defaultValue: undefined,
  })
  await resultOf(session.send({ type: 'prompt', text: 'Hello' }))
  await settled
  const request = JSON.stringify([session.nextRequest?.(), transcript(session.state$.value)])
  await resultOf(session.close()).catch(() => undefined)
  expect(request).toContain('- pdf: Reads forms.')
})
