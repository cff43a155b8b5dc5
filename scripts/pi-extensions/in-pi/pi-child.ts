// Plays one example in pi, with and without the extension; runs in a process of its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fixRandom } from '../play/fixed-random.ts'
import { prepareFolder } from '../play/prepare-folder.ts'
import type { ChildInput } from '../play/prepare-folder.ts'
import { collectOutput } from '../play/collect-output.ts'
import type { ExtensionRecord } from '../contract/extension-record.ts'
import { mockEndpoint } from '../play/mock-endpoint.ts'
import { nameFolder } from '../contract/plain-text.ts'
import { playInPi } from './pi-player.ts'

const input = JSON.parse(process.argv[2] ?? '') as ChildInput // written by run.ts
nameFolder(input.examples, '<examples>')
nameFolder(input.packageFolder, '<pi>')

/** Only one of the two runs is in this process: pi's modules hold state of a process. */
const record = await play(input.extension)
writeFileSync(input.result, JSON.stringify(record))
process.exit(0) // timers of an extension that was not unloaded

async function play(extension: string | undefined): Promise<ExtensionRecord> {
  const cwd = path.join(input.folder, 'work')
  const agentDir = path.join(input.folder, 'agent')
  prepareFolder(cwd, input.situation)
  fixRandom(input.situation.fixedRandom)
  mkdirSync(agentDir, { recursive: true })
  nameFolder(cwd, '<cwd>')
  nameFolder(agentDir, '<agent>')
  nameFolder(input.folder, '<home>')
  process.chdir(cwd)
  const endpoint = await mockEndpoint()
  writeFileSync(path.join(agentDir, 'models.json'), JSON.stringify(modelsFile(endpoint.baseUrl)))
  writeFileSync(path.join(agentDir, 'settings.json'), JSON.stringify({ defaultProvider: 'mock', defaultModel: 'mock-model', defaultThinkingLevel: 'off', compaction: { keepRecentTokens: 1 } })) // prettier-ignore
  const { packageFolder, situation, mode } = input
  const printed = collectOutput()
  return playInPi({ packageFolder, extension, situation, cwd, agentDir, endpoint, printed, mode })
}

function modelsFile(baseUrl: string): unknown {
  const model = (id: string) => ({ id, name: id, reasoning: false, input: ['text'], contextWindow: 200_000, maxTokens: 8192 }) // prettier-ignore
  const mock = { baseUrl, api: 'openai-completions', apiKey: 'none', models: [model('mock-model'), model('second-model')] } // prettier-ignore
  return { providers: { mock } }
}
