// Draws docs/ui.svg: the built command in a terminal, with a scripted model.
// `npm run picture`
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { cellWidth } from '../../../app/ui/text/cell-width.ts'
import { recordedProject } from './recorded-project.ts'
import { terminalPicture } from './terminal-picture.ts'
import { TerminalRecorder } from './terminal-recorder.ts'

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

using project = recordedProject({
  'src/sum.ts': "import { add } from '../ad.ts'\n\nexport const sum = (values: number[]) => values.reduce(add, 0)\n",
})
project.write('greeter/tour', JSON.stringify(answers))
using recorder = new TerminalRecorder({
  command: project.shell,
  folder: project.folder,
  columns: 92,
  rows: 50,
  clean: (painted) => project.clean(painted),
})
await recorder.until((screen) => screen.includes('$'), 'a prompt')
await recorder.type('rxpi --model scripted/tour')
await recorder.press('Enter', 'for commands')
await recorder.type('Why does the build fail?')
await recorder.press('Enter', 'an empty list gives')
await recorder.until((screen) => !screen.includes('Esc stop'), 'the end of the run')
writeFileSync(resolve(import.meta.dirname, '../../../docs/ui.svg'), terminalPicture(recorder.painted(100), cellWidth))
