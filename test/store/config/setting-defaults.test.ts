// Tests that the listed defaults are those of the parts that apply them.
import { expect, it } from 'vitest'
import { defaultSandboxMode } from '../../../lib/services/backend/open-sandbox.ts'
import { localMsOf } from '../../../lib/services/models/configured-model.ts'
import { defaultMode } from '../../../lib/services/policy/session-policy.ts'
import { defaultWallClockMs } from '../../../lib/session/runs/create-run-ports.ts'
import { defaultIdleMs } from '../../../lib/session/contract/idle-defaults.ts'
import { settingDefaults } from '../../../lib/store/config/setting-defaults.ts'
import { settingKeys } from '../../../lib/store/config/setting-keys.ts'
import { withSetting } from '../../../lib/store/config/edit-settings.ts'
import { checkSettings } from '../../../lib/streams/validation/validators.ts'

it('the defaults are those that the parts apply', () => {
  expect(settingDefaults).toMatchObject({
    approve: defaultMode,
    'sandbox.mode': defaultSandboxMode,
    'limits.idleMs': defaultIdleMs,
    'limits.wallClockMs': defaultWallClockMs,
    'localModels.withinMs': localMsOf({}),
  })
})

it('each default belongs to a setting and fits its schema', () => {
  const keys = new Set(settingKeys().map(({ key }) => key))
  expect(Object.keys(settingDefaults).filter((key) => !keys.has(key))).toEqual([])
  for (const [key, value] of Object.entries(settingDefaults)) expect(checkSettings(withSetting({}, key, value)), key).toMatchObject({ ok: true }) // prettier-ignore
})
