// Tests private folders and files: modes, owners and links.
import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPrivateFile, ensurePrivateFolder } from '../../../lib/host/files/private-files.ts'

let folder: string
let umask: number
const at = (...names: string[]) => path.join(folder, ...names)
const modeOf = (file: string) => (lstatSync(file).mode & 0o7777).toString(8)

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-private-'))
  umask = process.umask(0o022)
})

afterEach(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true })
})

describe.each([0o000, 0o022, 0o777])('under umask %o', (mask) => {
  beforeEach(() => process.umask(mask))

  it('creates a folder and its missing parents with mode 0700', () => {
    ensurePrivateFolder(at('state', 'rxpi', 'sessions'))
    expect([modeOf(at('state')), modeOf(at('state', 'rxpi')), modeOf(at('state', 'rxpi', 'sessions'))]).toEqual([
      '700',
      '700',
      '700',
    ])
  })

  it('creates a file with mode 0600 [S17a]', () => {
    closeSync(createPrivateFile(at('file')))
    expect(modeOf(at('file'))).toBe('600')
  })
})

describe('ensurePrivateFolder', () => {
  it('tightens a folder of the user that others can read', () => {
    mkdirSync(at('home'))
    chmodSync(at('home'), 0o777)
    ensurePrivateFolder(at('home'))
    expect(modeOf(at('home'))).toBe('700')
  })

  it('leaves parents of other owners unchanged', () => {
    mkdirSync(at('parent'))
    chmodSync(at('parent'), 0o755)
    ensurePrivateFolder(at('parent', 'home'))
    expect(modeOf(at('parent'))).toBe('755')
  })

  it('tightens every folder from the topmost folder of rxpi downwards', () => {
    mkdirSync(at('parent', 'home', 'sessions'), { recursive: true })
    for (const name of ['parent', 'parent/home', 'parent/home/sessions']) chmodSync(at(name), 0o755)
    ensurePrivateFolder(at('parent/home/sessions/project'), at('parent/home'))
    expect(['parent', 'parent/home', 'parent/home/sessions'].map((name) => modeOf(at(name)))).toEqual([
      '755',
      '700',
      '700',
    ])
  })

  it('refuses a symbolic link, and changes nothing behind it [S9c]', () => {
    mkdirSync(at('elsewhere'))
    chmodSync(at('elsewhere'), 0o755)
    symlinkSync(at('elsewhere'), at('home'))
    expect(() => ensurePrivateFolder(at('home'))).toThrow(/home is a symbolic link/)
    expect(modeOf(at('elsewhere'))).toBe('755')
  })

  it('refuses a symbolic link between the topmost folder of rxpi and the folder', () => {
    mkdirSync(at('home'))
    mkdirSync(at('elsewhere'))
    symlinkSync(at('elsewhere'), at('home', 'sessions'))
    expect(() => ensurePrivateFolder(at('home', 'sessions', 'project'), at('home'))).toThrow(
      /sessions is a symbolic link/,
    )
    expect(readdirSync(at('elsewhere'))).toEqual([])
  })

  it('follows a symbolic link above the folders of rxpi', () => {
    mkdirSync(at('real'))
    symlinkSync(at('real'), at('link'))
    ensurePrivateFolder(at('link', 'home'))
    expect(modeOf(at('real', 'home'))).toBe('700')
  })

  it('refuses a folder of another user [S9c]', () => {
    const root = process.geteuid?.() === 0
    mkdirSync(at('home'))
    if (root) chownSync(at('home'), 65534, 65534)
    expect(() => ensurePrivateFolder(root ? at('home') : '/usr')).toThrow(/belongs to another user/)
  })

  it('refuses a shared folder and does not close it to its other users', () => {
    mkdirSync(at('shared'))
    chmodSync(at('shared'), 0o1777)
    expect(() => ensurePrivateFolder(at('shared'))).toThrow(/is shared with other users/)
    expect(modeOf(at('shared'))).toBe('1777')
  })

  it.each([
    ['itself', 'file'],
    ['above', 'file/home'],
  ])('refuses a file at the path of the folder (%s)', (_label, name) => {
    writeFileSync(at('file'), '')
    expect(() => ensurePrivateFolder(at(name))).toThrow(expect.objectContaining({ code: 'storage' }))
  })
})

describe('createPrivateFile', () => {
  it('returns a descriptor that appends', () => {
    const descriptor = createPrivateFile(at('file'))
    writeSync(descriptor, 'one')
    writeSync(descriptor, ' two', 0)
    closeSync(descriptor)
    expect(readFileSync(at('file'), 'utf8')).toBe('one two')
  })

  it.each([
    ['a file', () => writeFileSync(at('file'), 'kept')],
    ['a dangling link', () => symlinkSync(at('nowhere'), at('file'))],
    ['a folder', () => mkdirSync(at('file'))],
  ])('refuses a name that %s already has [S17a]', (_what, occupy) => {
    occupy()
    expect(() => createPrivateFile(at('file'))).toThrow(
      expect.objectContaining({ code: 'storage', data: { errno: 'EEXIST' } }),
    )
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('names the missing folder', () => {
    expect(() => createPrivateFile(at('missing', 'file'))).toThrow(
      /Could not create .*missing\/file: there is no such file or folder/,
    )
  })
})
