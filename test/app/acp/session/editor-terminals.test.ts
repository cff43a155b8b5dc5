// Tests that commands outside of the sandbox run in the terminals of an editor that runs them.
import { setTimeout as delay } from 'node:timers/promises'
import { NEVER } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { editorTerminals } from '../../../../app/acp/session/editor-terminals.ts'
import { realTerminals } from '../../../support/real-terminals.ts'
import type { RealTerminals } from '../../../support/real-terminals.ts'
import { acpScene } from '../acp-scene.ts'
import type { Editor, EditorOptions, SceneOptions } from '../acp-scene.ts'

const bash = (command: string, more: object = {}) => ({
  toolCalls: [{ name: 'bash', arguments: { command, ...more } }],
})

interface Stage {
  readonly editor: Editor
  readonly sessionId: string
  readonly terminals: RealTerminals
  readonly folder: string
}

async function stage(script: SceneOptions['script'], options: EditorOptions = {}): Promise<Stage> {
  const terminals = realTerminals({ PATH: process.env['PATH'] ?? '', OF_EDITOR: 'yes' })
  onTestFinished(() => terminals.end())
  const scene = acpScene({ script })
  const editor = await scene.editor({ terminals, capabilities: { terminal: true }, ...options })
  const { sessionId } = await editor.newSession()
  return { editor, sessionId, terminals, folder: scene.folder }
}

const lastUpdate = (editor: Editor, status: 'completed' | 'failed') =>
  editor.of('tool_call_update').findLast((update) => update.status === status)

describe('a command in the terminal of an editor', () => {
  it('runs there with the environment of the session, and is shown live in its call [ACP-terminals, ACP-client-terminal]', async () => {
    const { editor, sessionId, terminals, folder } = await stage([bash('pwd; echo "$HOME:$OF_EDITOR"; cat'), 'Done.'])
    await editor.prompt(sessionId, 'go')
    expect(terminals.commands).toMatchObject([{ cwd: folder, env: { HOME: folder, GIT_TERMINAL_PROMPT: '0' } }])
    const shown = editor
      .of('tool_call_update')
      .filter(({ content }) => content?.some(({ type }) => type === 'terminal'))
    expect(shown).toMatchObject([
      { content: [{ type: 'terminal', terminalId: 'term-1' }] },
      { status: 'completed', content: [{ type: 'terminal', terminalId: 'term-1' }] },
    ])
    expect(terminals.log.map((line) => line.split(' ')[0])).toEqual(['create', 'exit', 'output', 'release'])
    expect(terminals.open()).toEqual([])
    const client = await editor.agent.request('session/load', { sessionId, cwd: folder, mcpServers: [] })
    expect(client).toBeDefined()
    const stored = lastUpdate(editor, 'completed')
    expect(JSON.stringify(stored?.content)).toContain(`${folder}\\n${folder}:yes\\n`)
  })

  it('asks first, and is not begun if the person denies it [ACP-terminals]', async () => {
    const { editor, sessionId, terminals } = await stage([bash('echo no'), 'Then not.'], { permit: () => 'deny' })
    await editor.prompt(sessionId, 'go')
    expect([editor.requests.length, terminals.log]).toEqual([1, []])
  })

  it('ends at its time limit with what it printed [ACP-terminals]', async () => {
    const { editor, sessionId, terminals } = await stage([bash('echo so far; sleep 60', { timeout: 1 }), 'Done.'])
    await editor.prompt(sessionId, 'go')
    const [terminal, words] = lastUpdate(editor, 'failed')?.content ?? []
    expect(terminal).toEqual({ type: 'terminal', terminalId: 'term-1' })
    expect(JSON.stringify(words)).toContain('Ended after 1 s')
    expect(terminals.log).toContain('kill term-1')
    expect(terminals.open()).toEqual([])
  })

  it('is killed and released when the prompt is cancelled [ACP-terminals]', async () => {
    const { editor, sessionId, terminals } = await stage([bash('sleep 60'), 'Done.'])
    const stopped = editor.prompt(sessionId, 'go')
    await vi.waitFor(() => expect(terminals.log).toContain('exit term-1'), { timeout: 10_000 })
    await editor.agent.notify('session/cancel', { sessionId })
    expect(await stopped).toBe('cancelled')
    await vi.waitFor(() => expect(terminals.open()).toEqual([]), { timeout: 10_000 })
    expect(terminals.log.slice(-2)).toEqual(['kill term-1', 'release term-1'])
  })

  it('does not hold up a cancel if the editor never answers [ACP-terminals]', async () => {
    const silent = {
      create: () => NEVER,
      output: () => NEVER,
      exit: () => NEVER,
      kill: () => NEVER,
      release: () => NEVER,
    }
    const { editor, sessionId } = await stage([bash('echo'), 'Done.'], { terminals: silent })
    const stopped = editor.prompt(sessionId, 'go')
    await vi.waitFor(
      () => expect(editor.of('tool_call_update').some(({ status }) => status === 'in_progress')).toBe(true),
      { timeout: 10_000 },
    )
    await delay(200)
    const began = Date.now()
    await editor.agent.notify('session/cancel', { sessionId })
    expect(await stopped).toBe('cancelled')
    expect(Date.now() - began).toBeLessThan(5_000)
  })

  it('is a failed call for the model if the editor opens none, and for the next run it is used again', async () => {
    let isBroken = true
    const real = realTerminals({ PATH: process.env['PATH'] ?? '' })
    onTestFinished(() => real.end())
    const terminals = {
      ...real,
      create: (...args: Parameters<typeof real.create>) =>
        isBroken ? Promise.reject(new Error('no terminals today')) : real.create(...args),
    }
    const script = [bash('echo 1'), 'No.', bash('echo 2'), 'Yes.']
    const { editor, sessionId } = await stage(script, { terminals })
    await editor.prompt(sessionId, 'go')
    expect(JSON.stringify(lastUpdate(editor, 'failed'))).toContain('The client opened no terminal for the command')
    isBroken = false
    await editor.prompt(sessionId, 'again')
    expect(real.commands).toHaveLength(1)
  })

  it('runs in rxpi if the editor runs no commands [ACP-terminals]', async () => {
    const { editor, sessionId, terminals } = await stage([bash('echo here'), 'Done.'], { capabilities: {} })
    await editor.prompt(sessionId, 'go')
    expect(JSON.stringify(lastUpdate(editor, 'completed')?.content)).toContain('here')
    expect(terminals.log).toEqual([])
  })

  it('is released when the editor closes the session [ACP-terminals]', async () => {
    const { editor, sessionId, terminals } = await stage([bash('sleep 60'), 'Done.'])
    const stopped = editor.prompt(sessionId, 'go').catch(() => 'failed')
    await vi.waitFor(() => expect(terminals.log).toContain('exit term-1'), { timeout: 10_000 })
    await editor.agent.request('session/close', { sessionId })
    await stopped
    await vi.waitFor(() => expect(terminals.open()).toEqual([]), { timeout: 10_000 })
  })
})

describe('requests about terminals', () => {
  it('have the forms of ACP', () => {
    const sent: unknown[] = []
    const ask$ = (method: string, params: object): Observable<never> => {
      sent.push([method, params])
      return NEVER
    }
    expect(editorTerminals({ ask: ask$ }, 's', { runsCommands: false }, () => undefined)).toBeUndefined()
    const terminals = editorTerminals({ ask: ask$ }, 's', { runsCommands: true }, () => undefined)
    const command = { program: '/bin/sh', args: ['-c', 'true'], cwd: '/a', env: { A: 'b' }, outputBytes: 9 }
    void terminals?.create(command, 'call_1')
    void terminals?.exit('t1')
    expect(sent).toEqual([
      [
        'terminal/create',
        {
          sessionId: 's',
          command: '/bin/sh',
          args: ['-c', 'true'],
          cwd: '/a',
          env: [{ name: 'A', value: 'b' }],
          outputByteLimit: 9,
        },
      ],
      ['terminal/wait_for_exit', { sessionId: 's', terminalId: 't1' }],
    ])
  })
})
