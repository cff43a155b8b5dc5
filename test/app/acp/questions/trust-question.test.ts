// Tests that an editor asks whether the files of a folder count, and what follows from each answer.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { resultOf } from '../../../support/result-of.ts'
import { acpScene } from '../acp-scene.ts'
import type { Editor, Scene, SceneOptions } from '../acp-scene.ts'

/** A folder with instructions for rxpi, and a hook. */
function scene(script: SceneOptions['script'] = ['One.', 'Two.']): Scene & { readonly project: string } {
  const made = acpScene({ script })
  const project = join(made.folder, 'project')
  mkdirSync(join(project, '.rxpi'), { recursive: true })
  writeFileSync(join(project, '.rxpi/SYSTEM.md'), 'Rhyme.')
  const hooks = { PostToolUse: [{ hooks: [{ type: 'command', command: 'touch planted' }] }] }
  writeFileSync(join(project, '.rxpi/settings.json'), JSON.stringify({ hooks }))
  return { ...made, project }
}

const stateOf = async ({ client, project }: ReturnType<typeof scene>): Promise<string> =>
  (await resultOf(client().request({ type: 'trust_folder', cwd: project, env: {} }))).state
const open = (editor: Editor, cwd: string) => editor.agent.request('session/new', { cwd, mcpServers: [] })
const answered = async (editor: Editor): Promise<void> => {
  await vi.waitFor(() => expect(editor.requests).toHaveLength(1), { timeout: 15_000 })
}

describe('a folder that brings files for rxpi', () => {
  it('is a question with what would run; after a yes the files count in the session [ACP-trust]', async () => {
    const all = scene()
    const editor = await all.editor({ permit: () => 'trust' })
    const { sessionId } = await open(editor, all.project)
    await answered(editor)
    await vi.waitFor(async () => expect(await stateOf(all)).toBe('trusted'), { timeout: 15_000 })
    const [{ toolCall, options } = expect.fail('nothing was asked')] = editor.requests
    expect(options.map(({ optionId }) => optionId)).toEqual(['later', 'trust', 'never'])
    expect(JSON.stringify(toolCall)).toMatch(/touch planted.*\.rxpi\/SYSTEM\.md/)
    expect(await editor.prompt(sessionId, 'go')).toBe('end_turn') // it waits for the session to be open again
    await vi.waitFor(() => expect(editor.text()).toContain('count in this session'), { timeout: 15_000 })
    expect(await stateOf(all)).toBe('trusted')
    expect(editor.text()).toContain('One.')
    const context = await resultOf(all.client().request({ type: 'get_context', session: sessionId }))
    expect(JSON.stringify(context)).toContain('Rhyme.')
  })

  it.each<[string | undefined, string]>([
    ['later', 'untrusted'],
    [undefined, 'untrusted'],
    ['never', 'never'],
  ])('does not count after the answer %s, and is not asked about again', async (choice, state) => {
    const all = scene()
    const editor = await all.editor({ permit: () => choice })
    const { sessionId } = await open(editor, all.project)
    await answered(editor)
    await vi.waitFor(async () => expect(await stateOf(all)).toBe(state), { timeout: 15_000 })
    expect(await editor.prompt(sessionId, 'go')).toBe('end_turn')
    await open(editor, all.project)
    expect(await editor.prompt(sessionId, 'again')).toBe('end_turn')
    expect(editor.requests).toHaveLength(1)
    expect(editor.text()).not.toContain('count')
  })

  it('counts later if the session answers a prompt when the answer comes', async () => {
    const bash = { toolCalls: [{ name: 'bash', arguments: { command: 'echo' } }] }
    const all = scene([bash, 'One.', 'Two.'])
    const calls: ((option: string) => void)[] = []
    const editor = await all.editor({ permit: () => new Promise((resolve) => calls.push(resolve)) })
    const { sessionId } = await open(editor, all.project)
    await answered(editor)
    const prompting = editor.prompt(sessionId, 'go')
    await vi.waitFor(() => expect(calls).toHaveLength(2), { timeout: 15_000 })
    calls[0]?.('trust')
    await vi.waitFor(() => expect(editor.text()).toContain('when the session is opened again'), { timeout: 15_000 })
    calls[1]?.('deny')
    expect(await prompting).toBe('end_turn')
    expect(await stateOf(all)).toBe('trusted')
  })
})

it('says why a folder cannot be trusted', async () => {
  const all = scene()
  const editor = await all.editor({ permit: () => 'trust' })
  mkdirSync(join(all.folder, '.rxpi'))
  writeFileSync(join(all.folder, '.rxpi/SYSTEM.md'), 'Rhyme.')
  await open(editor, all.folder) // the server's own state is inside it
  await answered(editor)
  await vi.waitFor(() => expect(editor.text()).toContain('cannot be trusted'), { timeout: 15_000 })
})
