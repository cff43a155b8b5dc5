// Answers `initialize`: what rxpi can do for an editor.
import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { InitializeResponse } from '@agentclientprotocol/sdk'

/** The extension method that adds an input to the active run. */
export const steerMethod = '_rxpi/steer'

export function initialised(version: string): InitializeResponse {
  // `fork` is no stable capability yet
  const sessionCapabilities = { list: {}, delete: {}, resume: {}, close: {}, fork: {} }
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'rxpi', title: 'rxpi', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities,
      _meta: { rxpi: { steer: steerMethod } },
    },
    authMethods: [],
  }
}
