// Records docs/rxpi.svg: the built command answers with the demo model, changes a file and undoes it.
// `npm run picture`
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { cellWidth } from '../../../app/ui/text/cell-width.ts'
import { movingPicture } from './moving-picture.ts'
import { recordedProject } from './recorded-project.ts'
import { TerminalRecorder } from './terminal-recorder.ts'

const size = { columns: 90, rows: 27 }
const still = 5_000
const text = {
  title: 'rxpi in a terminal',
  description:
    'A recording. The demo model of rxpi says what is in a folder, changes a word in a file and shows the changed lines. The command /diff lists the changes of the session. The command /undo restores the file.',
}

using project = recordedProject({
  'README.md': '# greeter\n\nGreets people by their names.\n',
  'greet.js': "const greeting = 'Hello'\n\nexport function greet(name) {\n  return `${greeting}, ${name}!`\n}\n",
  'package.json': '{ "name": "greeter", "type": "module" }\n',
})
using recorder = new TerminalRecorder({
  ...size,
  command: project.shell,
  folder: project.folder,
  clean: (painted) => project.clean(painted),
})

await recorder.until((screen) => screen.includes('$'), 'a prompt')
recorder.hold(600)
await recorder.type('rxpi --model demo/guide')
recorder.hold(300)
await recorder.press('Enter', 'for commands')
recorder.hold(2_000)
await ask('What is in this folder?', 'Folders')
recorder.hold(3_500)
await ask("In greet.js replace 'Hello' with 'Good morning'", '1 file')
recorder.hold(3_500)
await recorder.type('/diff')
recorder.hold(400)
await recorder.press('Enter', 'Changes of this session')
recorder.hold(2_500)
await recorder.press('Escape', 'for commands')
recorder.hold(500)
await recorder.type('/undo')
recorder.hold(400)
await recorder.press('Enter', 'Undone')
recorder.hold(still)

const picture = movingPicture({ ...size, ...text, frames: recorder.frames, duration: recorder.at }, cellWidth)
writeFileSync(resolve(import.meta.dirname, '../../../docs/rxpi.svg'), picture)
console.log(`docs/rxpi.svg: ${recorder.frames.length} frames, ${recorder.at} ms, ${picture.length} bytes`)

/** Types a prompt and records until the run has ended. */
async function ask(prompt: string, answer: string): Promise<void> {
  await recorder.type(prompt)
  recorder.hold(400)
  await recorder.press('Enter', answer)
  await recorder.until((screen) => !screen.includes('Esc stop'), 'the end of the run')
}
