// Draws docs/web.png: the page of the built command in Chromium, with a scripted model.
// `npm run picture`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium, openChromium } from '../../../test/support/chromium.ts'
import { recordedProject } from './recorded-project.ts'

const edits = [{ oldText: "import { add } from '../ad.ts'", newText: "import { add } from '../add.ts'" }]
const answers = [
  { text: 'The import names a module that is not there. I mend it.', toolCalls: [{ name: 'edit', arguments: { path: 'src/sum.ts', edits } }] }, // prettier-ignore
  { text: 'src/sum.ts imported ad.ts, which does not exist; it is add.ts. The build works again.' },
  { text: 'A test would have shown it. Shall I write one?', toolCalls: [{ name: 'write', arguments: { path: 'src/sum.test.ts', content: "import { sum } from './sum.ts'\n\nassert.equal(sum([1, 2]), 3)\n" } }] }, // prettier-ignore
]

if (chromium === undefined) throw new Error('the picture of the page needs chromium-headless-shell')
using project = recordedProject(
  { 'src/sum.ts': "import { add } from '../ad.ts'\n\nexport const sum = (values: number[]) => values.reduce(add, 0)\n" },
  { RXPI_HTTP_TOKEN: 'the-token-of-this-picture' },
)
project.write('greeter/tour', JSON.stringify(answers))
const [program = '', ...words] = project.shell
const shell = [...words.slice(0, -1), '-c', 'exec rxpi serve --http 0 --web']
const server = spawn(program, shell, { cwd: project.folder, stdio: ['ignore', 'ignore', 'pipe'] })
let notices = ''
server.stderr.setEncoding('utf8').on('data', (text: string) => (notices += text))
while (!notices.includes('the page is')) await once(server.stderr, 'data')
const [, url = ''] = /the page is (\S+)/.exec(notices) ?? []

const page = await openChromium({ width: 960, height: 760 })
await page.goTo(`${url}#token=the-token-of-this-picture`)
await page.until(`document.getElementById('connection').innerText === 'connected'`)
await page.evaluate(`
  document.getElementById('cwd').value = ${JSON.stringify(project.folder)}
  document.getElementById('model').value = 'scripted/tour'
  document.querySelector('#new button').click()`)
await page.until(`location.hash.startsWith('#session=')`)
const ask = async (text: string): Promise<void> => {
  await page.evaluate(`document.getElementById('text').focus()`)
  await page.type(text)
  await page.press('Enter')
  await page.until(`document.querySelector('fieldset') !== null`)
}
await ask('Why does the build fail?')
await page.evaluate(`document.querySelector('fieldset button').click()`)
await page.until(`document.getElementById('run').innerText === 'Idle.'`)
await ask('How could we have noticed?')
await page.reload() // so that the list of sessions is that of this moment
await page.until(`document.querySelector('fieldset') !== null && document.getElementById('list').innerText.includes('asks')`)
await page.evaluate(`
  for (const [id, text] of [['title', '/home/someone/greeter'], ['cwd', '/home/someone/greeter']])
    document.getElementById(id)[id === 'cwd' ? 'value' : 'textContent'] = text
  document.getElementById('model').value = 'scripted/tour'
  document.getElementById('log').scrollTop = 1e6
  document.activeElement.blur()
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`)
writeFileSync(path.resolve(import.meta.dirname, '../../../docs/web.png'), await page.screenshot())
await page[Symbol.asyncDispose]()
server.kill('SIGTERM')
await once(server, 'close')
