// Tests the command `trust_folder`: its report, its answers and its refusals.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { trustFolder } from '../../../lib/services/trust/trust-folder.ts'
import { resultOf } from '../../support/result-of.ts'

let [top, cwd] = ['', '']
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-command-')))
  cwd = path.join(top, 'project')
  mkdirSync(path.join(cwd, '.rxpi'), { recursive: true })
  writeFileSync(path.join(cwd, '.rxpi', 'settings.json'), '{}')
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

const ask = (more: { answer?: 'trust' | 'never' | 'forget'; digest?: string } = {}) =>
  resultOf(trustFolder({ cwd, ...more }, path.join(top, 'state')))

it('reports each file with its digest, and stores the answer to exactly these [COMMAND-trust_folder]', async () => {
  const report = await ask()
  expect(report).toMatchObject({ folder: cwd, trusted: false, state: 'untrusted', files: [{ path: '.rxpi/settings.json', bytes: 2 }] }) // prettier-ignore
  await expect(ask({ answer: 'trust' })).rejects.toMatchObject({ code: 'bad_request' })
  await expect(ask({ answer: 'trust', digest: 'a'.repeat(64) })).rejects.toMatchObject({ code: 'bad_request' })
  const { digest = '' } = report
  expect(await ask({ answer: 'trust', digest })).toMatchObject({ trusted: true, state: 'trusted', digest })
  expect(await ask()).toMatchObject({ trusted: true })
  expect(await ask({ answer: 'never' })).toMatchObject({ trusted: false, state: 'never' })
  expect(await ask({ answer: 'forget' })).toMatchObject({ trusted: false, state: 'untrusted' })
})

it('lists each command that trust lets run, and a changed one needs another answer [S2c]', async () => {
  const hook = (command: string): void => {
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }], Stop: [{ hooks: [{ type: 'command', command: 'b' }] }] } // prettier-ignore
    writeFileSync(path.join(cwd, '.rxpi', 'settings.json'), JSON.stringify({ hooks }))
  }
  hook('a')
  const { hooks, digest = '' } = await ask()
  expect(hooks).toEqual([
    { event: 'PreToolUse', matcher: 'Bash', command: 'a' },
    { event: 'Stop', command: 'b' },
  ])
  expect((await ask({ answer: 'trust', digest })).trusted).toBe(true)
  hook('changed')
  expect(await ask()).toMatchObject({ trusted: false, state: 'changed', hooks: [{ command: 'changed' }, {}] })
  writeFileSync(path.join(cwd, '.rxpi', 'settings.json'), '{')
  expect((await ask()).hooks).toBeUndefined()
})

it('lists each MCP server that trust lets run, with names in place of secrets, and a changed one needs another answer [S2d]', async () => {
  const servers = (mcpServers: unknown): void => {
    writeFileSync(path.join(cwd, '.mcp.json'), JSON.stringify({ mcpServers }))
  }
  const files = { command: 'npx', args: ['-y', 'server'], env: { TOKEN: 'hidden-1' }, autoApprove: ['all'] }
  const remote = { type: 'http', url: 'https://mcp.example/x?key=hidden-2', headers: { Authorization: 'hidden-3' } }
  servers({ files, remote, off: { command: 'x', disabled: true } })
  const report = await ask()
  expect(report.mcpServers).toEqual([
    { name: 'files', command: 'npx', args: ['-y', 'server'], env: ['TOKEN'] },
    { name: 'remote', url: 'https://mcp.example/x?…', headers: ['Authorization'] },
    { name: 'off', command: 'x', disabled: true },
  ])
  expect(JSON.stringify(report)).not.toContain('hidden')
  const { digest = '' } = report
  expect((await ask({ answer: 'trust', digest })).trusted).toBe(true)
  servers({ files: { ...files, args: ['-y', 'other'] } })
  expect(await ask()).toMatchObject({ trusted: false, state: 'changed', mcpServers: [{ args: ['-y', 'other'] }] })
  for (const content of ['{', '[]', '{"mcpServers":{"a":{"command":1}}}']) {
    writeFileSync(path.join(cwd, '.mcp.json'), content)
    expect((await ask()).mcpServers).toBeUndefined()
  }
})

it('counts a folder whose only file is .mcp.json, and reads none of it before a person trusts it [S2d]', async () => {
  rmSync(path.join(cwd, '.rxpi'), { recursive: true })
  writeFileSync(path.join(cwd, '.mcp.json'), '{"mcpServers":{"a":{"command":"touch"}}}')
  expect(await ask()).toMatchObject({ state: 'untrusted', files: [{ path: '.mcp.json' }], mcpServers: [{ name: 'a' }] })
})

it('refuses a folder that is not there [COMMAND-trust_folder]', async () => {
  await expect(resultOf(trustFolder({ cwd: path.join(top, 'none') }, top))).rejects.toMatchObject({
    code: 'bad_request',
  })
})
