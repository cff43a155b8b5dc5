// Tests reading a key from a literal, an environment variable or a command.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credential, forgetCommand, knowsCommand } from '../../../lib/providers/keys/credential.ts'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'

let folder: string
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'rxpi-credential-'))))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const key$ = (spec: string, env: Record<string, string> = {}) =>
  credential({ spec, env: { HOME: folder, PATH: '/usr/bin:/bin', ...env }, provider: 'maker' })

const keyOf = (found$: ReturnType<typeof key$>) => lastValueFrom(found$, { defaultValue: undefined })

it('returns a literal key unchanged [CONFIG-keys]', async () => {
  expect(await keyOf(key$('sk-literal'))).toBe('sk-literal')
})

it('reads an environment variable and trims it [CONFIG-keys]', async () => {
  expect(await keyOf(key$('$KEY', { KEY: ' sk-env \n' }))).toBe('sk-env')
})

it('fails with the name of an unset variable', async () => {
  await expect(keyOf(key$('$KEY'))).rejects.toMatchObject({
    message: expect.stringContaining('set KEY') as string,
    data: { kind: 'auth' },
  })
})

describe('from a command', () => {
  it('returns its trimmed standard output, run with the environment of the client [CONFIG-keys]', async () => {
    expect(await keyOf(key$('!echo " sk-$NAME " && echo noise >&2', { NAME: 'made' }))).toBe('sk-made')
  })

  it('runs the command once, on first use', async () => {
    const file = path.join(folder, 'runs')
    const once$ = key$(`!echo run >> "${file}" && echo sk-1`)
    expect(() => readFileSync(file)).toThrow()
    expect(await Promise.all([keyOf(once$), keyOf(once$)])).toEqual(['sk-1', 'sk-1'])
    expect(await keyOf(once$)).toBe('sk-1')
    expect(readFileSync(file, 'utf8')).toBe('run\n')
  })

  it('caches keys only for the most recent environments, up to the size of the memory', async () => {
    const memory = createKeyMemory(2)
    const requests$ = (NAME: string) =>
      credential({ spec: '!echo $NAME', env: { NAME, PATH: '/usr/bin:/bin' }, provider: 'maker', memory })
    for (const name of ['a', 'b', 'c', 'd']) expect(await keyOf(requests$(name))).toBe(name)
    expect(memory.commands.size).toBe(2)
  })

  it('runs the command again after a failure', async () => {
    const file = path.join(folder, 'second')
    const later$ = key$(`!test -e "${file}" && echo sk-2 || { touch "${file}"; exit 1; }`)
    await expect(keyOf(later$)).rejects.toThrow('exit code 1')
    expect(await keyOf(later$)).toBe('sk-2')
  })

  it.each([
    ['echo sk-secret; echo sk-secret >&2; exit 3', 'ended with exit code 3'],
    ['true', 'printed nothing'],
    ['kill -9 $$', 'ended with a signal'],
    ["head -c 1000000 /dev/zero | tr '\\0' k", 'printed more than 64 KiB, which cannot be a key'],
  ])('fails for `%s` without showing its output', async (command, says) => {
    const failed = keyOf(key$(`!${command}`))
    await expect(failed).rejects.toMatchObject({ code: 'provider_error', data: { kind: 'auth' } })
    await expect(failed).rejects.toThrow(`The apiKey command of maker in models.json ${says}`)
    await expect(failed).rejects.not.toThrow('sk-secret')
  })

  it('shares the cached key between callers with equal environments until forgetCommand is called', async () => {
    const file = path.join(folder, 'shared')
    const memory = createKeyMemory()
    const of = (own: Record<string, string>) => ({
      spec: `!echo run >> "${file}" && echo "sk-$NAME"`,
      env: { HOME: folder, PATH: '/usr/bin:/bin', ...own },
      provider: 'maker',
      memory,
    })
    expect(await keyOf(credential(of({ NAME: 'a', PWD: '/one' })))).toBe('sk-a')
    expect(await keyOf(credential(of({ NAME: 'a', PWD: '/two' })))).toBe('sk-a')
    expect(await keyOf(credential(of({ NAME: 'b' })))).toBe('sk-b')
    expect(readFileSync(file, 'utf8')).toBe('run\nrun\n')
    expect(knowsCommand(of({ NAME: 'a' }))).toBe(true)
    forgetCommand(of({ NAME: 'a' }))
    expect(knowsCommand(of({ NAME: 'a' }))).toBe(false)
    expect([...memory.commands.keys()].join()).not.toContain('sk-')
    expect(await keyOf(credential(of({ NAME: 'a' })))).toBe('sk-a')
    expect(readFileSync(file, 'utf8')).toBe('run\nrun\nrun\n')
  })

  it('runs a command once for callers at the same time', async () => {
    const file = path.join(folder, 'at-once')
    const options = {
      spec: `!echo run >> "${file}" && sleep 0.1 && echo sk-1`,
      env: { HOME: folder, PATH: '/usr/bin:/bin' },
      provider: 'maker',
      memory: createKeyMemory(),
    }
    const keys = [credential(options), credential(options)].map(keyOf)
    expect(await Promise.all(keys)).toEqual(['sk-1', 'sk-1'])
    expect(readFileSync(file, 'utf8')).toBe('run\n')
  })

  it('names a command that failed for several callers by the source of each', async () => {
    const common = {
      spec: '!sleep 0.1; exit 3',
      env: { HOME: folder, PATH: '/usr/bin:/bin' },
      memory: createKeyMemory(),
    }
    const failures = ['one', 'two'].map((provider) => keyOf(credential({ ...common, provider })))
    expect(await Promise.allSettled(failures)).toMatchObject([
      { reason: { message: /of one in models.json ended with exit code 3/ } },
      { reason: { message: /of two in models.json ended with exit code 3/ } },
    ])
  })

  it('runs a failed command again', async () => {
    const file = path.join(folder, 'again')
    const options = { spec: `!echo run >> "${file}"; exit 3`, env: { HOME: folder }, provider: 'maker', memory: createKeyMemory() } // prettier-ignore
    await expect(keyOf(credential(options))).rejects.toThrow('exit code 3')
    await expect(keyOf(credential(options))).rejects.toThrow('exit code 3')
    expect(readFileSync(file, 'utf8')).toBe('run\nrun\n')
  })

  it('runs no program from the workspace or a relative entry of PATH [S16a]', async () => {
    const workspace = path.join(folder, 'repository')
    mkdirSync(workspace)
    writeFileSync(path.join(workspace, 'pass'), '#!/bin/sh\necho sk-planted', { mode: 0o755 })
    const env = { HOME: workspace, PATH: `.:${workspace}:/usr/bin:/bin` }
    const planted = keyOf(credential({ spec: '!pass', env, provider: 'maker', workspace }))
    await expect(planted).rejects.toThrow('exit code 127')
    const relative = keyOf(credential({ spec: '!pass', env: { ...env, PATH: '.:/usr/bin:/bin' }, provider: 'maker' }))
    await expect(relative).rejects.toThrow('exit code 127')
  })

  it('ends the command on unsubscribe', async () => {
    const file = path.join(folder, 'never')
    const subscription = key$(`!sleep 0.3; touch "${file}"`).subscribe({ error: expect.fail })
    subscription.unsubscribe()
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(() => readFileSync(file)).toThrow()
  })
})
