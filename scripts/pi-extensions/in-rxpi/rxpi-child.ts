// Plays one example in rxpi, with or without the extension; runs in a process of its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { collectOutput } from '../play/collect-output.ts'
import { mockEndpoint } from '../play/mock-endpoint.ts'
import { fixRandom } from '../play/fixed-random.ts'
import { prepareFolder } from '../play/prepare-folder.ts'
import type { ChildInput } from '../play/prepare-folder.ts'
import { nameFolder } from '../contract/plain-text.ts'
import { playInRxpi } from './rxpi-player.ts'

const { packageFolder, examples, extension, situation, folder, result } = JSON.parse(
  process.argv[2] ?? '',
) as ChildInput // written by run.ts
const cwd = path.join(folder, 'work')
const agentDir = path.join(folder, 'agent')
prepareFolder(cwd, situation)
fixRandom(situation.fixedRandom)
for (const [name, word] of Object.entries({ [examples]: '<examples>', [packageFolder]: '<pi>', [cwd]: '<cwd>', [agentDir]: '<agent>', [folder]: '<home>' })) nameFolder(name, word) // prettier-ignore
mkdirSync(agentDir, { recursive: true })
process.chdir(cwd)
const endpoint = await mockEndpoint()
const printed = collectOutput()
const record = await playInRxpi({ packageFolder, extension, situation, cwd, endpoint, printed })
writeFileSync(result, JSON.stringify(record))
process.exit(0) // timers of an extension
