// Tests `rxpi rpc`.
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { askStatus, startServing } from './start-serving.ts'

describe('rxpi rpc', () => {
  it('refuses a path with a NUL and names its field', async () => {
    using workspace = workplace()
    const none = `${workspace.folder}\0`
    const requests = [
      { type: 'new_session', cwd: none },
      { type: 'import_session', file: '/x', cwd: none },
      { type: 'verify_session', file: none },
      { type: 'repair_session', file: none },
      { type: 'get_tree', file: none },
      { type: 'list_sessions', cwd: none },
      { type: 'run_tool', name: 'read', args: {}, cwd: none },
    ].map((command, index) => JSON.stringify({ id: String(index), ...command }))
    const { stdout } = await workspace.run(['rpc'], { stdin: requests.join('\n') })
    const [, ...responses] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(responses).toHaveLength(requests.length)
    for (const response of responses) {
      const message = expect.stringMatching(/^(cwd|file) contains a NUL/) as unknown
      expect(response).toMatchObject({ error: { code: 'bad_request', message } })
    }
  })

  it('answers every line on stdout, nothing else, and ends with its input [WIRE-lines, CLI-rpc]', async () => {
    using workspace = workplace()
    const requests = [
      '{"id":"1","type":"ping"}',
      'null',
      '',
      '{"id":"2","type":"nothing"}',
      `{"id":"3","type":"new_session","cwd":${JSON.stringify(workspace.folder)}}`,
    ]
    const { code, stdout, stderr } = await workspace.run(['rpc'], { stdin: requests.join('\n') })
    expect([code, stderr]).toEqual([0, ''])
    const frames = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(frames.map(({ type, id, ok }) => [type, id, ok])).toEqual([
      ['hello', undefined, undefined],
      ['response', '1', true],
      ['response', null, false],
      ['response', '2', false],
      ['response', '3', true],
    ])
  })

  it('runs a prompt while its input is open, and ends with shutdown [WIRE-stdio]', async () => {
    using workspace = workplace()
    const rpc = workspace.start(['rpc'], { stdin: null })
    const ask = (request: object): unknown => rpc.child.stdin?.write(`${JSON.stringify(request)}\n`)
    ask({ id: '1', type: 'new_session', cwd: workspace.folder, model: workspace.scripted([{ text: 'Well.' }]) })
    await rpc.outputText('"id":"1"')
    const session = /"session":"([a-z2-7]{12})"/.exec(rpc.stdout)?.[1]
    ask({ id: '2', type: 'attach', session, after: 0 })
    ask({ id: '3', type: 'prompt', session, text: 'x' })
    await rpc.outputText('agent_settled')
    ask({ id: '4', type: 'shutdown' })
    const { code, stdout } = await rpc.ended
    expect(code).toBe(0)
    for (const line of stdout.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow()
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('{"v":1,"type":"response","id":"4","ok":true,"result":{}}')
  })

  it('connects to the server at a socket, whose runs go on', async () => {
    using workspace = workplace()
    await startServing(workspace)
    const model = workspace.scripted([{ text: 'So', end: 'never' }])
    const bridged = workspace.start(['rpc', '--socket', workspace.socket], { stdin: null })
    bridged.child.stdin?.write(`${JSON.stringify({ id: '1', type: 'new_session', cwd: workspace.folder, model })}\n`)
    await bridged.outputText('"id":"1"')
    const session = /"session":"([a-z2-7]{12})"/.exec(bridged.stdout)?.[1]
    bridged.child.stdin?.end(`${JSON.stringify({ id: '2', type: 'prompt', session, text: 'x' })}\nnull\n`)
    const { code, stdout, stderr } = await bridged.ended
    expect([code, stderr]).toEqual([0, ''])
    const frames = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(frames.map(({ type, id }) => [type, id])).toEqual([
      ['hello', undefined],
      ['response', '1'],
      ['response', null],
      ['response', '2'],
    ])
    const expected = { clients: 1, sessions: { open: 1, running: 1 } }
    await expect.poll(() => askStatus(workspace), { timeout: 10_000 }).toMatchObject(expected)
    await workspace.stop()
    const none = await workspace.run(['rpc', '--socket', workspace.socket], { stdin: '' })
    expect([none.code, none.stdout]).toEqual([1, ''])
    expect(none.stderr).toContain('No server listens')
  })

  it('ends the active run when its input ends', async () => {
    using workspace = workplace()
    const rpc = workspace.start(['rpc'], { stdin: null })
    const model = workspace.scripted([{ text: 'So', end: 'never' }])
    rpc.child.stdin?.write(`${JSON.stringify({ id: '1', type: 'new_session', cwd: workspace.folder, model })}\n`)
    await rpc.outputText('"id":"1"')
    const session = /"session":"([a-z2-7]{12})"/.exec(rpc.stdout)?.[1]
    rpc.child.stdin?.write(`${JSON.stringify({ id: '2', type: 'prompt', session, text: 'x' })}\n`)
    await rpc.outputText('"id":"2"')
    rpc.child.stdin?.end()
    expect((await rpc.ended).code).toBe(0)
    expect(workspace.logs()[0]?.lines.join('\n')).toContain('server_shutdown')
  })
})
