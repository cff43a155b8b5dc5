// Draws docs/ui.svg: the built command in a tmux terminal with scripted prompts.
// `node scripts/pages/ui-picture.ts`
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cellWidth } from '../../app/ui/text/cell-width.ts'
import { terminalPicture } from './terminal-picture.ts'

const root = resolve(import.meta.dirname, '../..')
const code =
  '```ts\nexport function sum(values: readonly number[]): number {\n  return values.reduce((total, value) => total + value, 0)\n}\n```'
const edits = [{ oldText: "import { add } from '../ad.ts'", newText: "import { add } from '../add.ts'" }]
const answers = [
  {
    thinking: 'The import names a module that is not there.',
    text: 'I look at what the build says.',
    toolCalls: [{ name: 'bash', arguments: { command: "grep -n 'ad.ts' src/*.ts" } }],
  },
  { text: 'The name is mistyped; I mend it.', toolCalls: [{ name: 'edit', arguments: { path: 'src/sum.ts', edits } }] },
  {
    text: `The build failed because **\`src/sum.ts\`** imported \`./ad.ts\`. It is mended; shorter still would be:\n\n${code}\n\n- no import is needed\n- an empty list gives \`0\``,
  },
]

const top = mkdtempSync(join(tmpdir(), 'rxpi-picture-'))
const tmux = (...words: readonly string[]): string =>
  execFileSync('tmux', ['-S', join(top, 's'), '-f', '/dev/null', ...words], { encoding: 'utf8' })
try {
  const project = join(top, 'project')
  mkdirSync(join(project, 'src'), { recursive: true })
  writeFileSync(
    join(project, 'src/sum.ts'),
    "import { add } from '../ad.ts'\n\nexport const sum = (values: number[]) => values.reduce(add, 0)\n",
  )
  const script = join(top, 'tour')
  writeFileSync(script, JSON.stringify(answers))
  const socket = join(top, 'run/rxpi.sock')
  const variables = [
    `HOME=${top}`,
    `RXPI_HOME=${join(top, 'home')}`,
    `RXPI_SOCKET=${socket}`,
    `PATH=${process.env['PATH'] ?? ''}`,
  ]
  const command = [
    'exec',
    'env',
    '-i',
    'TERM=tmux-256color',
    'LC_ALL=C.UTF-8',
    ...variables,
    process.execPath,
    join(root, 'bin/start.js'),
    '--model',
    `scripted/${script}`,
  ]
  tmux(
    'new-session',
    '-d',
    '-x',
    '92',
    '-y',
    '44',
    '-c',
    project,
    command
      .map((word) => `'${word}'`)
      .join(' ')
      .replace("'exec'", "echo '$ rxpi'; exec"),
  )
  await shows('scripted/')
  tmux('send-keys', '-l', 'Why does the build fail?')
  await shows('Why does the build fail?')
  tmux('send-keys', 'Enter')
  await shows('an empty list gives')
  await pause(1_000)
  const painted = tmux('capture-pane', '-p', '-e', '-S', '-100')
  const shown = painted
    .replaceAll(`scripted/${script}`, 'scripted/tour')
    .replace(/^.*started a server[\s\S]*?\.log\)\n/m, '')
  writeFileSync(join(root, 'docs/ui.svg'), terminalPicture(shown, cellWidth))
  process.kill((JSON.parse(readFileSync(`${socket}.lock`, 'utf8')) as { readonly pid: number }).pid)
  tmux('kill-server')
} finally {
  rmSync(top, { recursive: true, force: true })
}

async function shows(text: string): Promise<void> {
  for (let round = 0; round < 400; round++) {
    if (tmux('capture-pane', '-p').includes(text)) return
    await pause(50)
  }
  throw new Error(`The screen never showed ${text}:\n${tmux('capture-pane', '-p')}`)
}
