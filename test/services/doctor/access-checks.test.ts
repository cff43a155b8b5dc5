// Tests what the doctor reports about files with tokens, editors, and completion in the shell.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accessChecks } from '../../../lib/services/doctor/access-checks.ts'

let folder: string
let env: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-access-'))
  env = { HOME: folder, PATH: path.join(folder, 'bin') }
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Lines of one check, such as `ok` or `note`, and the message without the folder. */
function linesOf(name: string): string[] {
  return accessChecks({ cwd: '/nowhere', env }, folder)
    .filter((check) => check.name === name)
    .map(({ ok, message }) => `${ok ? 'ok' : 'note'} ${message.replaceAll(folder, '~')}`)
}

describe('files with tokens', () => {
  const token = (): string => path.join(folder, 'http-token')

  it('have no line before there is one', () => {
    expect(linesOf('token')).toEqual([])
  })

  it.each<[string, () => void, string]>([
    [
      'is private',
      () => writeFileSync(token(), 'secret', { mode: 0o600 }),
      'ok ~/http-token, for clients of rxpi serve --http, is private',
    ],
    [
      'can be read by others',
      () => {
        writeFileSync(token(), 'secret')
        chmodSync(token(), 0o644)
      },
      'note ~/http-token can be read by other users; remove it, and rxpi serve --http creates a new token',
    ],
    [
      'is a link',
      () => symlinkSync('/etc/hostname', token()),
      'note ~/http-token is not a file; remove it, and rxpi serve --http creates a new token',
    ],
  ])('are reported if one %s, without the token', (_, make, line) => {
    make()
    expect(linesOf('token')).toEqual([line])
  })

  it('have a line each', () => {
    for (const name of ['http-token', 'mcp-token', 'proxy-token'])
      writeFileSync(path.join(folder, name), 'secret', { mode: 0o600 })
    expect(linesOf('token')).toHaveLength(3)
  })
})

describe('editors', () => {
  it('start the rxpi of PATH', () => {
    mkdirSync(path.join(folder, 'bin'))
    writeFileSync(path.join(folder, 'bin/rxpi'), '#!/bin/sh\n', { mode: 0o755 })
    expect(linesOf('editors')).toEqual(['ok Zed, JetBrains, Neovim and Emacs start ~/bin/rxpi acp (docs/editors.md)'])
  })

  it('need a full path if PATH has no rxpi', () => {
    expect(linesOf('editors')).toEqual([expect.stringMatching(/^note rxpi is not on PATH: run npm link/)])
  })
})

describe('completion', () => {
  it.each([
    ['bash', '.bashrc', 'source <(rxpi completions bash)\n'],
    ['zsh', '.zshrc', 'autoload compinit\nsource <(rxpi completions zsh)\n'],
    ['fish', '.config/fish/completions/rxpi.fish', "complete -c rxpi -f -a '(__rxpi_candidates)'\n"],
  ])('of %s is found in its file', (shell, file, text) => {
    env['SHELL'] = `/usr/bin/${shell}`
    expect(linesOf('completion')).toEqual([expect.stringMatching(`^note not set up for ${shell}: `)])
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
    expect(linesOf('completion')).toEqual([`ok set up for ${shell} in ~/${file}`])
  })

  it.each([['/bin/tcsh'], ['constructor'], ['']])('of the shell "%s" is described', (shell) => {
    env['SHELL'] = shell
    expect(linesOf('completion')).toEqual(['ok rxpi completions bash|zsh|fish completes with Tab'])
  })

  it('does not wait for a pipe that stands in the place of the file', () => {
    env['SHELL'] = '/bin/bash'
    execFileSync('mkfifo', [path.join(folder, '.bashrc')])
    expect(linesOf('completion')).toEqual([expect.stringMatching(/^note not set up for bash/)])
  })
})
