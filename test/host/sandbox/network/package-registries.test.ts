// Tests that the preset `registries` has the hosts of the user's own package managers.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packageRegistries } from '../../../../lib/host/sandbox/network/package-registries.ts'
import { resultOf } from '../../../support/result-of.ts'

let top: string
let home: string
let workspace: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-registries-')))
  home = path.join(top, 'home')
  workspace = path.join(top, 'work')
  for (const folder of [home, workspace, path.join(top, 'bin'), path.join(workspace, 'bin')]) mkdirSync(folder)
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

function program(folder: string, name: string, text: string): void {
  const file = path.join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
}

const found = (env: Readonly<Record<string, string>> = {}) =>
  resultOf(packageRegistries({ workspace, homeFolder: home, env: { PATH: path.join(top, 'bin'), ...env } }))

/** Instead of those of this machine. */
function fakeManagers(): void {
  for (const name of ['npm', 'pnpm', 'python3', 'go', 'gem']) program(path.join(top, 'bin'), name, 'exit 1')
}

it('asks each package manager in the home folder [SANDBOX-network]', async () => {
  fakeManagers()
  program(path.join(top, 'bin'), 'npm', 'echo "https://npm.example:8443/pkg/"; pwd > asked')
  program(path.join(top, 'bin'), 'go', 'printf "https://go.example,direct\\nsum.go.example\\n"')
  program(path.join(top, 'bin'), 'python3', 'echo "global.index-url=\'https://pip.example/simple\'"')
  expect(await found()).toEqual(['go.example', 'npm.example:8443', 'pip.example', 'sum.go.example'])
  expect(path.join(home, 'asked')).toSatisfy((file: string) => path.dirname(file) === home)
})

it('reads the variables of the user', async () => {
  fakeManagers()
  const env = {
    NPM_CONFIG_REGISTRY: 'https://a.example/',
    UV_INDEX_URL: 'https://b.example/simple',
    OTHER_URL: 'https://c.example',
  }
  expect(await found(env)).toEqual(['a.example', 'b.example'])
})

it('runs no program of the workspace, and never fails [S16]', async () => {
  fakeManagers()
  program(path.join(workspace, 'bin'), 'npm', 'echo https://evil.example')
  expect(await found({ PATH: `${path.join(workspace, 'bin')}:${path.join(top, 'bin')}` })).toEqual([])
})
