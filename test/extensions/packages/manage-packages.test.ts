// Tests packages from a tarball, a registry on this machine, a git repository and a folder; no script of them runs.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installedPackages } from '../../../lib/extensions/packages/installed-packages.ts'
import { installPackage, listPackages, removePackage, updatePackages } from '../../../lib/extensions/packages/manage-packages.ts' // prettier-ignore
import { parsePackageSource } from '../../../lib/extensions/packages/package-source.ts'
import { withFileLock } from '../../../lib/store/locks/with-file-lock.ts'
import { isFull } from '../../support/sample-size.ts'

let top = ''
let home = ''
let env: Record<string, string> = {}
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-packages-')))
  home = path.join(top, 'home')
  mkdirSync(path.join(top, 'user'))
  env = { PATH: process.env['PATH'] ?? '', HOME: path.join(top, 'user'), npm_config_cache: path.join(top, 'cache'), npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' } // prettier-ignore
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

const options = () => ({ home, locked: withFileLock })
const valueOf = <Value>(value$: Observable<Value>): Promise<Value> => lastValueFrom(value$) // eslint-disable-line rxjs-x/no-ignored-default-value
const install = (source: string) => valueOf(installPackage(source, { cwd: top, env }, options()))

/** A package whose scripts would leave a file. */
function makePackage(name: string, version = '1.0.0', text = 'export default 1'): string {
  const folder = path.join(top, 'src', name)
  mkdirSync(path.join(folder, 'extensions'), { recursive: true })
  const touch = `touch ${path.join(top, 'a-script-ran')}`
  const scripts = { preinstall: touch, install: touch, postinstall: touch, prepare: touch }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, version, scripts, pi: { extensions: ['extensions'] }, peerDependencies: { '@earendil-works/pi-coding-agent': '*' } })) // prettier-ignore
  writeFileSync(path.join(folder, 'extensions', 'main.ts'), text)
  return folder
}

/** A tarball as registries have it, made without npm. */
function pack(name: string, version?: string): string {
  const folder = makePackage(name, version)
  const file = path.join(top, `${name}-${version ?? '1.0.0'}.tgz`)
  execFileSync('tar', ['-czf', file, '-C', path.dirname(folder), '--transform', `s,^${name},package,`, name])
  return file
}

describe('a package', () => {
  it('of a tarball is installed without a network, and no script of it runs [COMMAND-package_install]', async () => {
    const found = await install(pack('bundle'))
    expect(found).toMatchObject({ name: 'bundle', version: '1.0.0', pinned: true, integrity: expect.stringMatching(/^sha512-/) as string }) // prettier-ignore
    expect(found.contents.found.extensions).toEqual([path.join(found.path, 'extensions/main.ts')])
    expect(existsSync(path.join(top, 'a-script-ran'))).toBe(false)
    expect(listPackages(home)).toMatchObject([{ name: 'bundle', path: found.path }])
    expect(readdirSync(path.join(home, 'packages/installed'))).toEqual(['bundle'])
    expect(await valueOf(removePackage('bundle', options()))).toMatchObject({ name: 'bundle' })
    expect([listPackages(home), readdirSync(path.join(home, 'packages/installed'))]).toEqual([[], []])
  }, 60_000)

  it('of a registry is pinned by a version, and updated without one', async () => {
    const files = new Map(['1.0.0', '1.1.0'].map((version) => [version, readFileSync(pack('bundle', version))]))
    let latest = '1.0.0'
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo
      const version = /bundle-(.*)\.tgz/.exec(request.url ?? '')?.[1]
      if (version !== undefined) response.end(files.get(version))
      else if (request.url === '/bundle') {
        const versions = [...files].map(([each, content]) => {
          const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`
          return [each, { name: 'bundle', version: each, dist: { integrity, tarball: `http://127.0.0.1:${port}/bundle-${each}.tgz` } }] // prettier-ignore
        })
        response.end(
          JSON.stringify({ name: 'bundle', 'dist-tags': { latest }, versions: Object.fromEntries(versions) as object }),
        )
      } else response.writeHead(404).end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      env = { ...env, npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, npm_config_prefer_online: 'true' } // prettier-ignore
      expect(await install('npm:bundle')).toMatchObject({ version: '1.0.0', pinned: false })
      latest = '1.1.0'
      const updated = await valueOf(updatePackages(undefined, { cwd: top, env }, options()))
      expect(updated).toMatchObject([{ name: 'bundle', version: '1.1.0' }])
      expect(readdirSync(path.join(home, 'packages/installed'))).toEqual(['bundle'])
      expect(existsSync(path.join(top, 'a-script-ran'))).toBe(false)
      if (!isFull) return // each step starts npm
      expect(await install('npm:bundle@1.0.0')).toMatchObject({ version: '1.0.0', pinned: true })
      expect(await valueOf(updatePackages('bundle', { cwd: top, env }, options()))).toEqual([])
      await expect(install('npm:missing')).rejects.toMatchObject({ code: 'bad_request', message: expect.stringMatching(/404/) as string }) // prettier-ignore
      expect(installedPackages(home).map(({ name, version }) => [name, version])).toEqual([['bundle', '1.0.0']])
      expect(readdirSync(path.join(home, 'packages/installed'))).toEqual(['bundle'])
      expect(existsSync(path.join(top, 'a-script-ran'))).toBe(false)
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }, 120_000)

  it('of a git repository has its commit, and no script of it runs [S23b]', async () => {
    const folder = makePackage('fromgit')
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { encoding: 'utf8', env }) // prettier-ignore
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
    const commit = git('rev-parse', 'HEAD').trim()
    const old = Number.parseInt(execFileSync('npm', ['--version'], { encoding: 'utf8', env }), 10) < 11
    const installed = install(`git:${folder}`)
    if (old)
      await expect(installed).rejects.toMatchObject({ code: 'bad_request', message: expect.stringMatching(/^npm 10\./) as string }) // prettier-ignore
    else expect(await installed).toMatchObject({ name: 'fromgit', integrity: commit, pinned: false })
    expect(existsSync(path.join(top, 'a-script-ran'))).toBe(false)
  }, 60_000)

  it('of a git repository is refused if npm is older than 11, which runs a script of it [S23b]', async () => {
    const bin = path.join(top, 'bin')
    const cwd = path.join(top, 'user')
    mkdirSync(bin)
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo 10.9.3 || touch '${top}/a-script-ran'\n`
    writeFileSync(path.join(bin, 'npm'), script, { mode: 0o755 })
    const own = { ...env, PATH: `${bin}:${env['PATH'] ?? ''}` }
    const installed = valueOf(installPackage('git:https://example.com/a/b', { cwd, env: own }, options()))
    await expect(installed).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('npm install -g npm@11') as string,
    })
    expect(existsSync(path.join(top, 'a-script-ran'))).toBe(false)
  })

  it('of a folder is used where it is', async () => {
    const folder = makePackage('local')
    const found = await install('./src/local')
    expect(found).toMatchObject({ name: 'local', source: folder, link: folder, path: folder })
    await valueOf(removePackage('local', options()))
    expect(existsSync(path.join(folder, 'package.json'))).toBe(true)
  })

  it('of a git host has its ref behind the repository', () => {
    expect(parsePackageSource('git:git@host:repo.git', '/')).toMatchObject({ pinned: false, spec: 'git+ssh://git@host/repo.git' }) // prettier-ignore
    expect(parsePackageSource('git:git@host:repo.git@v1', '/')).toMatchObject({ pinned: true, spec: 'git+ssh://git@host/repo.git#v1' }) // prettier-ignore
  })

  it.each([
    ['bundle', /npm:bundle/],
    ['npm:', /no name of a package/],
    ['npm:a b', /no name of a package/],
    ['npm:--global', /no name of a package/],
    ['npm:a@https://b/c', /no name of a package/],
    ['git://host/repo', /neither encrypted nor signed/],
    ['git:', /no git repository/],
    ['./gone', /There is no/],
  ])('named %j is refused', async (source, message) => {
    await expect(install(source)).rejects.toMatchObject({ code: 'bad_request', message: expect.stringMatching(message) as string }) // prettier-ignore
  })

  it('that is not installed cannot be removed', async () => {
    await expect(valueOf(removePackage('other', options()))).rejects.toThrow(/none is installed/)
  })
})
