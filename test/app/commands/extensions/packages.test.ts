// Tests `rxpi install`, `list`, `remove` and `update`: arguments, requests and output.
import { firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { parseCommandLine } from '../../../../app/cli/command-line.ts'
import { packages } from '../../../../app/commands/extensions/packages.ts'
import type { PackageRow } from '../../../../lib/streams/commands/package-commands.ts'
import type { FakeCommands } from '../../../support/fake-backend.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

const row: PackageRow = { name: 'bundle', source: 'npm:bundle@1.0.0', version: '1.0.0', integrity: 'sha512-x', pinned: true, path: '/p/bundle', extensions: ['/p/bundle/a.ts'], skills: ['/p/bundle/skills'], prompts: [], themes: [], scenarios: [], problems: [{ path: '/p/bundle/b.ts', message: 'it is no module' }] } // prettier-ignore

async function begin(words: string[], commands: FakeCommands = {}) {
  const invocation = parseCommandLine(words)
  const isPackages = invocation.mode === 'install' || invocation.mode === 'list' || invocation.mode === 'remove' || invocation.mode === 'update' // prettier-ignore
  if (!isPackages) throw new Error(`not packages: ${words.join(' ')}`)
  const { world, stdout, stderr } = fakeWorld({ commands })
  const code = await firstValueFrom(packages(invocation, world), { defaultValue: -1 })
  return { code, out: stdout.written, err: stderr.written }
}

const text = 'bundle 1.0.0  (npm:bundle@1.0.0, pinned)\n  /p/bundle\n  sha512-x\n  extensions 1, skills 1\n  rxpi extensions list shows whether they run\n' // prettier-ignore

it('installs a source in the folder of the caller, and prints what it brings [CLI-packages]', async () => {
  const requests: object[] = []
  const install$: FakeCommands['installPackage'] = (command) => (requests.push(command), of({ package: row }))
  const { code, out, err } = await begin(['install', 'npm:bundle@1.0.0', '--cwd', '/work'], {
    installPackage: install$,
  })
  expect([code, out, err]).toEqual([0, text, 'rxpi: /p/bundle/b.ts: it is no module\n'])
  expect(requests).toMatchObject([{ source: 'npm:bundle@1.0.0', cwd: '/work', env: {} }])
  expect(JSON.parse((await begin(['install', 'x', '--json'], { installPackage: install$ })).out)).toEqual({
    package: row,
  })
})

it('lists, updates and removes [CLI-packages]', async () => {
  expect(await begin(['list'], { listPackages: () => of({ packages: [row] }) })).toMatchObject({ code: 0, out: text })
  expect((await begin(['list'])).err).toContain('no package is installed')
  const requests: object[] = []
  const update$: FakeCommands['updatePackages'] = (command) => (requests.push(command), of({ packages: [] }))
  expect((await begin(['update', 'bundle'], { updatePackages: update$ })).err).toContain('pinned')
  await begin(['update'], { updatePackages: update$ })
  expect(requests.map((command) => ('package' in command ? command.package : undefined))).toEqual(['bundle', undefined])
  expect((await begin(['remove', 'bundle'])).out).toBe('removed bundle\n')
})

it.each([
  [['install'], /needs a package: rxpi install npm:NAME/],
  [['remove'], /needs a package/],
  [['install', 'a', 'b'], /unexpected argument "b"/],
  [['list', 'a'], /rxpi sessions list/],
  [['update', '--force'], /no option --force/],
])('refuses %j', async (words, message) => {
  await expect(begin(words)).rejects.toThrow(message)
})
