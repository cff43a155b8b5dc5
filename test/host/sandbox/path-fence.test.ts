// Tests the fence of file tools: what it refuses.
// Over 250 lines: one table of attempts to get out of the fence.
import {
  closeSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
  mkdtempSync,
  existsSync,
  realpathSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openInside, withFolder } from '../../../lib/host/sandbox/open-inside.ts'
import { createPathFence } from '../../../lib/host/sandbox/path-fence.ts'
import type { FenceMode } from '../../../lib/host/sandbox/path-fence.ts'
import type { PathFence } from '../../../lib/streams/ports/sandbox.ts'
import { findGitPaths } from '../../../lib/host/sandbox/git-paths.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

let root: string
const at = (...names: string[]): string => path.join(root, ...names)

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-fence-')))
  for (const folder of ['work/src', 'work/.git', 'temp', 'home/.ssh', 'home/dots/aws', 'spill', 'state'])
    mkdirSync(at(folder), { recursive: true })
  writeFileSync(at('home/.ssh/id_rsa'), 'key')
  writeFileSync(at('home/notes.txt'), 'notes')
  symlinkSync(at('home/dots/aws'), at('home/.aws'))
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

function fence(mode: FenceMode = 'workspace', workspace = at('work')): PathFence {
  return createPathFence({
    workspace,
    temp: at('temp'),
    tempNames: ['/box-tmp'],
    extraReadable: [at('spill')],
    homeFolder: at('home'),
    rxpiFolders: [at('state')],
    mode,
  })
}

describe('createPathFence', () => {
  it('reads anything but credentials, and names the zone', () => {
    expect(fence().check(at('work/src/a'), 'read')).toMatchObject({ allowed: true, zone: 'workspace' })
    expect(fence().check(at('home/notes.txt'), 'read')).toMatchObject({ allowed: true, zone: 'outside' })
    expect(fence().check(at('spill/x'), 'read')).toMatchObject({ allowed: true, zone: 'readable' })
    expect(fence('off').check(at('home/.ssh/id_rsa'), 'read')).toMatchObject({ allowed: false, reason: 'credential' })
  })

  it('follows links before it decides [SANDBOX-fence]', () => {
    symlinkSync(at('home'), at('work/home'))
    symlinkSync(at('home/new.txt'), at('work/dangling'))
    expect(fence().check(at('work/home/.ssh/id_rsa'), 'read')).toMatchObject({ reason: 'credential' })
    expect(fence().check(at('work/home/new.txt'), 'write')).toMatchObject({ reason: 'outside' })
    expect(fence().check(at('work/dangling'), 'write')).toMatchObject({ reason: 'outside' })
    expect(fence().check(at('work/src/../../home/x'), 'write')).toMatchObject({ reason: 'outside' })
  })

  it('knows where linked credentials are', () => {
    expect(fence().check(at('home/dots/aws/credentials'), 'read')).toMatchObject({ reason: 'credential' })
  })

  it('maps /tmp to the temporary folder of the session, but a workspace there stays itself', () => {
    expect(fence().check('/box-tmp/x', 'write')).toMatchObject({ allowed: true, zone: 'temp', path: at('temp/x') })
    const inTemp = createPathFence({
      workspace: '/tmp/project',
      temp: at('temp'),
      tempNames: ['/tmp'],
      homeFolder: at('home'),
      rxpiFolders: [],
      mode: 'workspace',
    })
    expect(inTemp.check('/tmp/project/a', 'write')).toMatchObject({ zone: 'workspace', path: '/tmp/project/a' })
  })

  it.each([
    ['workspace', true, true, false],
    ['read-only', false, true, false],
    ['off', true, true, true],
  ] as const)(
    'mode %s writes in workspace %s, temp %s, outside %s [SANDBOX-fence]',
    (mode, inWork, inTemp, outside) => {
      expect(fence(mode).check(at('work/a'), 'write').allowed).toBe(inWork)
      expect(fence(mode).check(at('temp/a'), 'write').allowed).toBe(inTemp)
      expect(fence(mode).check(at('home/a'), 'write').allowed).toBe(outside)
    },
  )

  it.each(['workspace', 'off'] as const)('mode %s protects what git and rxpi run [SANDBOX-paths]', (mode) => {
    for (const file of ['work/.git/hooks/x', 'work/.git/config', 'work/.rxpi/x', 'state/sessions/x'])
      expect(fence(mode).check(at(file), 'write'), file).toMatchObject({ allowed: false, reason: 'protected' })
    expect(fence(mode).check(at('work/.envrc'), 'write')).toMatchObject({ allowed: true, asks: true })
  })

  it('takes a workspace that is a link', () => {
    symlinkSync(at('work'), at('link'))
    const linked = fence('workspace', at('link'))
    expect(linked.check(at('link/src/a'), 'write')).toMatchObject({ allowed: true, path: at('work/src/a') })
    expect(linked.check(at('work/src/a'), 'write')).toMatchObject({ allowed: true })
  })
})

describe('openInside', () => {
  it('creates, empties and reads files inside', () => {
    writeFileSync(at('work/a'), 'old text')
    const descriptor = openInside(fence(), at('work/a'), 'write', { truncate: true })
    writeSync(descriptor, 'new')
    closeSync(descriptor)
    closeSync(openInside(fence(), at('work/b'), 'write', { create: true, exclusive: true }))
    expect(readFileSync(at('work/a'), 'utf8')).toBe('new')
    expect(existsSync(at('work/b'))).toBe(true)
  })

  it('refuses what the fence refuses, with its code', () => {
    expect(() => openInside(fence(), at('home/a'), 'write', { create: true })).toThrow(
      expect.objectContaining({ code: 'not_allowed' }),
    )
    expect(existsSync(at('home/a'))).toBe(false)
  })

  /** A fence after whose decision somebody swaps things. */
  function racing(swap: () => void): PathFence {
    const real = fence()
    return {
      ...real,
      check: (file, access) => {
        const decision = real.check(file, access)
        swap()
        return decision
      },
    }
  }

  it('neither creates nor empties a file behind a folder that became a link meanwhile [SANDBOX-race]', () => {
    const swap = (): void => {
      renameSync(at('work/src'), at('work/old'))
      symlinkSync(at('home'), at('work/src'))
    }
    expect(() => openInside(racing(swap), at('work/src/new'), 'write', { create: true })).toThrow(Failure)
    expect(existsSync(at('home/new'))).toBe(false)
  })

  it('does not follow a folder above that became a link meanwhile [SANDBOX-race]', () => {
    mkdirSync(at('work/src/deep'))
    mkdirSync(at('home/deep'))
    writeFileSync(at('home/deep/notes.txt'), 'notes')
    const swap = (): void => {
      renameSync(at('work/src'), at('work/old'))
      symlinkSync(at('home'), at('work/src'))
    }
    const act = (): number => openInside(racing(swap), at('work/src/deep/notes.txt'), 'write', { truncate: true })
    expect(act).toThrow(expect.objectContaining({ code: 'not_allowed' }))
    expect(readFileSync(at('home/deep/notes.txt'), 'utf8')).toBe('notes')
  })

  it('does not open a file that became a link meanwhile [SANDBOX-race]', () => {
    const swap = (): void => {
      symlinkSync(at('home/notes.txt'), at('work/a'))
    }
    expect(() => openInside(racing(swap), at('work/a'), 'write', { truncate: true })).toThrow(
      expect.objectContaining({ code: 'not_allowed' }),
    )
    expect(readFileSync(at('home/notes.txt'), 'utf8')).toBe('notes')
  })

  it('creates nothing through a link that leads nowhere yet [SANDBOX-race]', () => {
    const swap = (): void => {
      symlinkSync(at('home/created'), at('work/a'))
    }
    expect(() => openInside(racing(swap), at('work/a'), 'write', { create: true })).toThrow(Failure)
    expect(existsSync(at('home/created'))).toBe(false)
  })

  it('creates nothing below a folder above that became a link meanwhile [SANDBOX-race]', () => {
    mkdirSync(at('work/src/deep'))
    mkdirSync(at('home/deep'))
    const swap = (): void => {
      renameSync(at('work/src'), at('work/old'))
      symlinkSync(at('home'), at('work/src'))
    }
    expect(() => openInside(racing(swap), at('work/src/deep/new'), 'write', { create: true })).toThrow(Failure)
    expect(existsSync(at('home/deep/new'))).toBe(false)
  })

  it('does not empty a file whose folder is moved behind the fence after its check [SANDBOX-race]', () => {
    writeFileSync(at('work/src/pre-commit'), 'mine')
    const real = fence()
    let checks = 0
    const moving: PathFence = {
      ...real,
      checkReal: (file, access) => {
        const decision = real.checkReal(file, access)
        checks += 1
        if (checks === 1) renameSync(at('work/src'), at('work/.git/hooks'))
        return decision
      },
    }
    const act = (): number => openInside(moving, at('work/src/pre-commit'), 'write', { truncate: true })
    expect(act).toThrow(expect.objectContaining({ code: 'not_allowed' }))
    expect(readFileSync(at('work/.git/hooks/pre-commit'), 'utf8')).toBe('mine')
  })

  it('holds the folder for a replacement beside the file', () => {
    writeFileSync(at('work/src/a'), 'old')
    withFolder(fence(), at('work/src/a'), 'write', (entry) => {
      writeFileSync(`${entry}.new`, 'new')
      renameSync(at('work/src'), at('work/moved'))
      symlinkSync(at('home'), at('work/src'))
      renameSync(`${entry}.new`, entry)
    })
    expect(readFileSync(at('work/moved/a'), 'utf8')).toBe('new')
    expect(existsSync(at('home/a'))).toBe(false)
  })

  it('cannot tell another name of the same file: a hard link inside is inside', () => {
    linkSync(at('home/notes.txt'), at('work/linked'))
    closeSync(openInside(fence(), at('work/linked'), 'read'))
  })
})

describe('findGitPaths', () => {
  const find = () => findGitPaths({ workspace: at('work'), homeFolder: at('home'), env: {} })

  it('names hooks and configuration whether they exist or not [SANDBOX-paths]', () => {
    expect(find().control).toEqual(
      expect.arrayContaining([at('work/.git/hooks'), at('work/.git/config'), at('work/.git/commondir')]),
    )
  })

  it('finds targets of core.hooksPath, also through includes [SANDBOX-paths]', () => {
    writeFileSync(at('work/.git/config'), '[core]\n\thooksPath = .husky/_\n[includeIf "gitdir:x"]\n path = more\n')
    writeFileSync(at('work/.git/more'), '[core] hooksPath="other hooks"')
    writeFileSync(at('home/.gitconfig'), '[core]\nhookspath = ~/hooks ; mine\n')
    expect(find().control).toEqual(
      expect.arrayContaining([at('work/.husky/_'), at('work/other hooks'), at('home/hooks')]),
    )
  })

  it('follows the pointer of a work tree to its own and the common folder [SANDBOX-paths]', () => {
    rmSync(at('work/.git'), { recursive: true })
    mkdirSync(at('main/.git/worktrees/w'), { recursive: true })
    writeFileSync(at('main/.git/worktrees/w/commondir'), '../..\n')
    writeFileSync(at('work/.git'), `gitdir: ${at('main/.git/worktrees/w')}\n`)
    expect(find().folders).toEqual(expect.arrayContaining([at('main/.git/worktrees/w'), at('main/.git')]))
  })

  it('finds submodules and repositories below', () => {
    mkdirSync(at('work/.git/modules/lib/one'), { recursive: true })
    writeFileSync(at('work/.git/modules/lib/one/HEAD'), 'ref: x')
    mkdirSync(at('work/src/inner/.git'), { recursive: true })
    expect(find().folders).toEqual(expect.arrayContaining([at('work/.git/modules/lib/one'), at('work/src/inner/.git')]))
  })
})
