// Tests `rxpi/core` and `rxpi/client` on a page of a real Chromium. Skipped if none is installed.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { isFull } from '../support/sample-size.ts'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const browser = (isFull ? names : []).find((name) => spawnSync(name, ['--version']).status === 0)

it.skipIf(browser === undefined)(
  'a page in Chromium runs stored sessions with tools, and a client (with RXPI_FULL; skipped without Chromium: apt install chromium-headless-shell)',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-page-'))
    try {
      const bundle = await rolldown({
        input: 'test/toolchain/chromium-page.ts',
        platform: 'browser',
        logLevel: 'silent',
      })
      const { output } = await bundle.generate({ format: 'es' })
      await bundle.close()
      // a module of a file cannot be imported by a page of a file: it stands in the page
      const code = output[0].code.replaceAll('</script', '<\\/script')
      writeFileSync(path.join(folder, 'page.html'), `<meta charset="utf-8"><script type="module">${code}</script>`)
      const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}/profile`]
      const page = `file://${folder}/page.html`
      const args = [...flags, '--virtual-time-budget=20000', '--dump-dom', page]
      const { stdout } = await promisify(execFile)(browser ?? '', args, {
        maxBuffer: 64 * 1024 * 1024,
        timeout: 50_000,
      })
      const [, title = ''] = /<title>([^]*?)<\/title>/.exec(stdout) ?? []
      expect(JSON.parse(title)).toEqual({
        first: [
          'Go on.',
          '',
          '3',
          '',
          'The arguments of upper are not valid:\n- /text: must have at least 2 characters\nReceived: {"text":"x"}',
          '',
          'XY',
          'Done.',
        ],
        again: ['Done.', 'And now?', 'Again.'],
        latest: 'bbbbbbbbbbbb',
        server: 'of the page',
        isChrome: true,
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  60_000,
)
