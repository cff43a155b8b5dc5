// Tests what the doctor reports about local model servers.
import { expect, it } from 'vitest'
import { localModelsCheck } from '../../../lib/services/doctor/doctor.ts'
import type { UserConfiguration } from '../../../lib/services/models/configured-model.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ModelsFile } from '../../../lib/streams/config/settings.ts'
import { fileAuthStorage } from '../../../lib/store/index.ts'
import { ollamaServer } from '../../providers/resolve/local-servers.ts'
import { resultOf } from '../../support/result-of.ts'

const elsewhere = { baseUrl: 'http://gpu-box.invalid/v1' }
const others = {
  ollama: elsewhere,
  lmstudio: elsewhere,
  vllm: elsewhere,
  llamacpp: elsewhere,
  sglang: elsewhere,
  litellm: elsewhere,
}

function configured(providers: ModelsFile['providers'], withinMs: number): () => UserConfiguration {
  const authStorage = fileAuthStorage({ home: '/nowhere' })
  const models = { providers: { ...others, ...providers } }
  return () => ({ settings: { localModels: { withinMs } }, models, warnings: [], authStorage, home: '/nowhere' })
}

const workspace = { cwd: '/', env: {} }

it('names the endpoints that answer, with the number of their models [CLI-doctor]', async () => {
  await using server = await ollamaServer({ 'a:1': {}, 'b:1': {} })
  const baseUrl = `${server.url}/v1`
  expect(await resultOf(localModelsCheck(workspace, configured({ ollama: { baseUrl } }, 20_000)))).toEqual({
    name: 'local models',
    ok: true,
    required: false,
    message: `ollama at ${baseUrl} (2 models)`,
  })
})

it('reports that no endpoint answers, that none was asked, or why the check failed', async () => {
  const looked = resultOf(localModelsCheck(workspace, configured({}, 100)))
  expect(await looked).toMatchObject({ ok: false, message: 'no model server answers on this machine' })
  const off = resultOf(localModelsCheck(workspace, configured({}, 0)))
  expect(await off).toMatchObject({ ok: true, message: 'not looked for: localModels.withinMs is 0' })
  const broken = (): never => {
    throw new Failure('bad_config', 'models.json is not valid')
  }
  expect(await resultOf(localModelsCheck(workspace, broken))).toMatchObject({
    ok: false,
    message: 'models.json is not valid',
  })
})
