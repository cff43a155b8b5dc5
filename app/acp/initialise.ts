// Answers `initialize`: what rxpi can do for an editor.
import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { AuthMethod, ClientCapabilities, InitializeResponse } from '@agentclientprotocol/sdk'
import { isRecord } from '../../lib/streams/values/json.ts'
import type { SignInFeatures } from './auth/sign-in.ts'
import type { EditorFeatures } from './session/open-driven.ts'

/** The extension method that adds an input to the active run. */
export const steerMethod = '_rxpi/steer'

export function initialised(version: string, authMethods: AuthMethod[]): InitializeResponse {
  // `fork` is no stable capability yet
  const sessionCapabilities = { list: {}, delete: {}, resume: {}, close: {}, fork: {} }
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'rxpi', title: 'rxpi', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities,
      _meta: { rxpi: { steer: steerMethod } },
    },
    authMethods,
  }
}

/** Abilities of the editor, also for a sign-in. */
export function featuresOf({
  session,
  elicitation,
  auth,
  fs,
  terminal,
  _meta,
}: ClientCapabilities): EditorFeatures & SignInFeatures {
  return {
    notices: isRecord(session?.notices),
    compaction: isRecord(session?.compaction),
    forms: isRecord(elicitation?.form),
    pages: isRecord(elicitation?.url),
    terminal: auth?.terminal === true,
    readsFiles: fs?.readTextFile === true,
    writesFiles: fs?.writeTextFile === true,
    runsCommands: terminal === true,
    showsOutput: _meta?.['terminal_output'] === true,
  }
}
