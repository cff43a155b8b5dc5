// Tests that `rxpi -p` runs only with the extensions that `--extension` names.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom, of } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkNamedExtensions, requireNamedExtensions } from '../../../../app/commands/print/named-extensions.ts'
import type { ResultOf } from '../../../../lib/streams/commands/command.ts'
import type { ExtensionRow } from '../../../../lib/streams/commands/extension-commands.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

let folder = ''
let gate = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-named-'))
  gate = path.join(folder, 'gate.ts')
  writeFileSync(gate, '')
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const rowOf = (change: Partial<ExtensionRow>): ExtensionRow => ({
  ...{ id: `path:${gate}`, name: 'gate', origin: 'path', root: gate, entry: gate, digest: 'a', state: 'pending' },
  ...change,
})

const check = (row: Partial<ExtensionRow>, problems: { path: string; message: string }[] = []) => {
  const { world } = fakeWorld({ commands: { listExtensions: () => of({ extensions: [rowOf(row)], problems }) } })
  return firstValueFrom(checkNamedExtensions({ cwd: folder, from: 'new', extensions: [gate] }, world), {
    defaultValue: 'goes on',
  })
}

describe('before the session opens', () => {
  it.each<[Partial<ExtensionRow>]>([
    [{ state: 'trusted' }],
    [{ state: 'acknowledged' }],
    [{ origin: 'user', root: '/other', entry: '/other/index.ts' }],
  ])('%j is no reason to refuse', async (row) => {
    expect(await check(row)).toBe('goes on')
  })

  it.each<[Partial<ExtensionRow>, RegExp]>([
    [{}, /gate waits for your decision; look at it, then: rxpi extensions trust .*gate\.ts$/],
    [{ changed: true }, /gate has changed since you decided about it/],
    [{ state: 'killed' }, /gate was killed; to allow it again/],
    [{ origin: 'user' }, /gate waits for your decision/], // the same file, found in the user's folder
  ])('%j refuses the run', async (row, message) => {
    await expect(check(row)).rejects.toMatchObject({
      code: 'not_allowed',
      message: expect.stringMatching(message) as string,
    })
  })

  it('a path without an extension refuses the run', async () => {
    await expect(check({ state: 'trusted' }, [{ path: gate, message: 'it is empty' }])).rejects.toMatchObject({
      code: 'bad_request',
      message: `--extension ${gate}: it is empty`,
    })
  })
})

describe('when the session is open', () => {
  const opened = (code: string) => {
    const { header, model } = { header: {}, model: null }
    return { opened: { session: 's', header, model, notices: [{ code, message: 'why' }] } as unknown as ResultOf<'open_session'> } // prettier-ignore
  }
  const openWith = (code: string, extensions?: string[]) =>
    firstValueFrom(of(opened(code)).pipe(requireNamedExtensions({ cwd: '/', from: 'new', ...(extensions && { extensions }) })), { defaultValue: undefined }) // prettier-ignore

  it('it must have them', async () => {
    await expect(openWith('named_extension', [gate])).rejects.toMatchObject({ code: 'bad_config', message: 'why' })
    await expect(openWith('already_open', [gate])).rejects.toMatchObject({ code: 'bad_request' })
    expect(await openWith('extension', [gate])).toEqual(opened('extension'))
    expect(await openWith('already_open')).toEqual(opened('already_open'))
  })
})
