// Tests which roles of `models.paths` hold for a folder and for files.
import { describe, expect, it } from 'vitest'
import { pathRoles } from '../../../lib/session/roles/path-roles.ts'
import { resultOf } from '../../support/result-of.ts'

const globs = ['**/*.py', 'src/**', '/srv/old/**', '~/code/**', 'legacy', '**/vendor/**']
const paths = Object.fromEntries(globs.map((glob) => [glob, { default: 'a/b' }]))

const rolesAt = (cwd: string) => resultOf(pathRoles({ models: { paths }, cwd, homeFolder: '/home/ada' }))
const globsOf = (roles: readonly { readonly glob: string }[]): string[] => roles.map(({ glob }) => glob)

describe('pathRoles', () => {
  it.each([
    ['/srv/old', ['/srv/old/**']],
    ['/srv/old/deep/er', ['/srv/old/**']],
    ['/srv/older', []],
    ['/home/ada/code', ['~/code/**']],
    ['/home/ada/code/legacy', ['~/code/**', 'legacy']],
    ['/x/src', []],
    ['/x/vendor', ['**/vendor/**']],
    ['/', []],
  ])('of the folder %s are %j [CONFIG-roles_of_paths]', async (cwd, expected) => {
    expect(globsOf((await rolesAt(cwd)).folder)).toEqual(expected)
  })

  it.each([
    ['a.py', ['**/*.py']],
    ['src/deep/a.py', ['**/*.py', 'src/**']],
    ['/x/src/a.ts', ['src/**']],
    ['./src/../b.ts', []],
    ['../other/a.py', []],
    ['/srv/old/a.ts', ['/srv/old/**']],
    ['/home/ada/code/x', ['~/code/**']],
    ['legacy', ['legacy']],
  ])('of the file %s in /x are %j', async (file, expected) => {
    expect(globsOf((await rolesAt('/x')).ofFile(file))).toEqual(expected)
  })

  it('are none at once without the setting', () => {
    let found: unknown
    pathRoles({ models: { smol: 'a/b' }, cwd: '/x' }).subscribe((value) => (found = value))
    expect(found).toMatchObject({ folder: [] })
  })
})
