// Offers the models of an endpoint that a module of pi names, in rxpi's own words.
import { translateModels } from '../../../streams/config/translate-models.ts'
import type { WrittenModelsFile } from '../../../streams/config/written-models.ts'
import type { Registration } from '../../api/registration.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'

/** Fields of pi that models.json has too; those that a module adds for itself are left out. */
const providerFields = ['api', 'baseUrl', 'apiKey', 'headers', 'authHeader', 'compat']
const modelFields = [
  'id',
  'name',
  'api',
  'headers',
  'contextWindow',
  'maxTokens',
  'input',
  'reasoning',
  'cost',
  'thinkingLevelMap',
  'compat',
]

/**
 * One registration, or none without a model: pi accepts a provider whose models come later.
 * @throws Failure `bad_request` for what the session refuses
 */
export function registerEndpoint({ api, limits }: PiRuntime, name: string, config: PiRecord): Registration[] {
  const { models = [], baseUrl } = config
  const all = models as readonly PiRecord[]
  const here = all.filter(
    (model) => model['baseUrl'] === undefined || model['baseUrl'] === (baseUrl ?? all[0]?.['baseUrl']),
  )
  if (here.length < all.length)
    limits.report(`models of pi.registerProvider('${name}')`, 'those with an address of their own are left out')
  if (here.length === 0) return []
  const written = { ...chosen(config, providerFields), baseUrl: baseUrl ?? all[0]?.['baseUrl'] }
  const offered = here.map((model) => chosen(model, modelFields))
  const file = { providers: { [name]: { ...written, models: offered } } } as unknown as WrittenModelsFile // checked below
  const entry = translateModels(file).models.providers[name]
  return entry === undefined ? [] : [api.models.provider(name, entry)] // checks it
}

function chosen(from: PiRecord, names: readonly string[]): PiRecord {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))
}
