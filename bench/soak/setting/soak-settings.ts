// The settings of the soaked server: a short silence of models, a sandbox, and a model with a small window.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { smallModel } from '../faulty-model.ts'

/** A stalled answer ends after this. */
const idleMs = 8_000

/** Sessions take one of these. The first has no known window: it is compacted by command alone. */
export const soakModels = ['openai/mock', `soak/${smallModel.id}`] as const

/** Writes the files of a home. @param baseUrl that of the model's API */
export function writeSettings(home: string, baseUrl: string): void {
  const folder = path.join(home, '.config/rxpi')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const settings = { limits: { idleMs }, sandbox: { mode: 'auto' }, compaction: { keepRecentTokens: 2_000 } }
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings))
  const soak = { api: 'openai-completions', baseUrl, apiKey: 'soak', models: [smallModel] }
  writeFileSync(path.join(folder, 'models.json'), JSON.stringify({ providers: { soak } }), { mode: 0o600 })
}
