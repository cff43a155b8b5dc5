// Tests that the command exports to devices and files as a person expects.
import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { workplace } from '../support/command.ts'

it('streams to a device, and replaces a file only with --force [S25a, S25b, S25c]', { timeout: 60_000 }, async () => {
  using workspace = workplace()
  const model = workspace.scripted([{ text: 'Done.' }])
  await workspace.run(['-p', 'Hi', '--model', model])
  const session = /_([a-z2-7]{12})\.jsonl$/.exec(workspace.logs()[0]?.file ?? '')?.[1] ?? ''
  const to = (target: string, ...flags: string[]) =>
    workspace.run(['sessions', 'export', session, '--format', 'md', '-o', target, ...flags])
  const file = workspace.write('page.md', 'old')
  expect(await to('/dev/full')).toMatchObject({ code: 5 })
  expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true)
  const refused = await to(file)
  expect([refused.code, refused.stderr, readFileSync(file, 'utf8')]).toEqual([
    2,
    expect.stringMatching(/page\.md exists already; name another file, or add --force to replace it\n$/),
    'old',
  ])
  expect((await to(file, '--force')).code).toBe(0)
  const folder = await to(workspace.folder)
  expect([folder.code, folder.stderr.includes('is a folder; name a file')]).toEqual([2, true])
  const printed = await to('-')
  expect([printed.code, printed.stdout.includes('Done.')]).toEqual([0, true])
  expect(readFileSync(file, 'utf8')).toContain('Done.')
  symlinkSync(file, path.join(workspace.folder, 'link.md'))
  expect((await to('link.md', '--force')).stderr).toContain('is a symbolic link')
  expect((await to(workspace.logs()[0]?.file ?? '', '--force')).stderr).toContain('rxpi keeps its own files there')
})
