// Tests `rxpi serve --proxy`: its address, its token, its answers, and its end with the server.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lastValueFrom, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { proxy } from '../../lib/providers/proxy/proxy.ts'
import { demoModel } from '../../lib/providers/offline/demo-answers.ts'
import { aRequest } from '../providers/offline/a-request.ts'
import { aUser } from '../providers/adapter/messages.ts'
import { workplace } from '../support/command.ts'

describe('rxpi serve --proxy', () => {
  it('serves a known model with the token of its file, until the server ends', async () => {
    using workspace = workplace()
    const serving = workspace.start(['serve', '--proxy', '0'])
    const file = join(workspace.home, 'proxy-token')
    await serving.outputText(`its token is in ${file}`)
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(serving.stderr) ?? []
    const token = readFileSync(file, 'utf8').trim()
    expect(serving.stderr + serving.stdout).not.toContain(token)
    const provider = proxy({ url, token })
    const answer$ = provider(aRequest({ model: demoModel, messages: [aUser('What can you do?')] }))
    const deltas = await lastValueFrom(answer$.pipe(toArray()), { defaultValue: [] })
    expect(deltas.at(-1)).toMatchObject({ type: 'done' })
    serving.child.kill('SIGTERM')
    expect((await serving.ended).code).toBe(0)
    await expect(fetch(url)).rejects.toThrow()
  })

  it('fails if its port is taken, and leaves no socket that listens', async () => {
    using workspace = workplace()
    const first = workspace.start(['serve', '--proxy', '0'])
    await first.outputText('its token is in')
    const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(first.stderr) ?? []
    const second = await workspace.run([
      'serve',
      '--proxy',
      port,
      '--socket',
      join(dirname(workspace.socket), 'other.sock'),
    ])
    expect(second).toMatchObject({ code: 1 })
    expect(second.stderr).toContain(`The proxy cannot listen at 127.0.0.1:${port}: another program listens there`)
    first.child.kill('SIGTERM')
    await first.ended
  })
})
