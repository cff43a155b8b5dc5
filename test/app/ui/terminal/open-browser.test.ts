// Tests how addresses are opened: by which program, and what goes wrong.
import { firstValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { browserProgram, openInBrowser$ } from '../../../../app/ui/terminal/open-browser.ts'

describe('the program', () => {
  it.each([
    ['linux', { DISPLAY: ':0' }, 'xdg-open'],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
    ['linux', { DISPLAY: '' }, undefined],
    ['darwin', {}, 'open'],
    ['darwin', { SSH_TTY: '/dev/pts/1' }, undefined],
    ['linux', { DISPLAY: 'localhost:10.0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, undefined],
  ] as const)('on %s with %o is %s', (platform, env, program) => {
    expect(browserProgram({ ...env }, platform)).toBe(program)
  })
})

describe('opening', () => {
  const page = 'https://auth.example.com/authorize?a=1&b=$(touch%20x)'
  const open = (url: string, program: string | undefined): Promise<string> =>
    firstValueFrom(openInBrowser$(url, { PATH: process.env['PATH'] ?? '' }, program), { defaultValue: 'opened' })

  it('completes when the program has ended well', async () => {
    expect(await open(page, 'true')).toBe('opened')
  })

  it.each([
    ['a failing program', page, 'false', /false ended with 1; Tab copies/],
    ['a missing program', page, 'no-such-browser', /no-such-browser could not be started/],
    ['no program', page, undefined, /there is no desktop here/],
    ['a file', 'file:///etc/passwd', 'true', /the address is no page/],
    ['an option', '--help', 'true', /the address is no page/],
  ])('fails for %s', async (_name, url, program, message) => {
    await expect(open(url, program)).rejects.toThrow(message)
  })
})
