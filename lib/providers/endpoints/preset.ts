// Defines a preset: the known facts about an endpoint, by its name.
import type { Api, ApiCompat } from '../adapter/merge-compat.ts'
import type { AwsAccess } from '../bedrock/bedrock-options.ts'

export interface Preset {
  /** The display name. */
  readonly title: string
  /** The API of the endpoint. */
  readonly api: Api
  /** The API at any other address. @default api */
  readonly apiElsewhere?: Api
  /**
   * Absent if every user has an own address; `{NAME}` stands for the value of that environment variable, `{NAME,OTHER}`
   * for the first that is set.
   */
  readonly baseUrl?: string
  /** The environment variable with the key; without one no key is needed. */
  readonly keyVariable?: string
  /** Further variables, in order, if that one is not set. */
  readonly otherKeyVariables?: readonly string[]
  /** A key is optional. */
  readonly keyOptional?: boolean
  /** Its variable is usually set for something else, so that it being set does not choose this provider. */
  readonly sharedKey?: boolean
  /** If this variable is set, no key is needed. */
  readonly insteadOfKey?: string
  /** The path below the base URL whose GET verifies a key. @default /models */
  readonly keyCheckPath?: string
  /** The variables that replace parts of the preset for this one endpoint. */
  readonly baseUrlVariable?: string
  readonly organizationVariable?: string
  readonly projectVariable?: string
  readonly apiVersionVariable?: string
  readonly vertexProjectVariable?: string
  readonly vertexLocationVariable?: string
  readonly vertexKeyFileVariable?: string
  /** The variables of an access key of AWS, which signs requests that have no key, and of their region. */
  readonly awsVariables?: Readonly<Record<keyof AwsAccess, readonly string[]>>
  /** Why a key may be missing, and what to do: further sentences of the error. */
  readonly missingKeyHelp?: string
  /** The model if a key is set and no model is named; absent: the preset is never chosen by its key. */
  readonly defaultModel?: string
  /** It runs on this machine: free of charge, and slow to its first word. */
  readonly local?: boolean
  /** The API that lists its models; absent: none. */
  readonly serves?: RemoteKind
  /** rxpi searches for it if no key is set and no model is named. */
  readonly detected?: boolean
  /** The provider that makes its models: their compat applies, and their entries if it has no list of its own. */
  readonly catalogue?: string
  /** The inputs of a model that is not in the catalogue. @default text only */
  readonly inputs?: readonly ('text' | 'image')[]
  /** The compat at its own address; at any other address only that of the model applies. */
  readonly compat?: ApiCompat
  /** The compat at any address. */
  readonly compatEverywhere?: ApiCompat
  /** The API of models whose id has this form, at its own address; the first that fits counts. @default api */
  readonly apisByModel?: readonly (readonly [idForm: RegExp, api: Api])[]
  /** People can sign in to it. */
  readonly account?: AccountManners
  /** A note for the table in the docs. */
  readonly note?: string
}

/** How requests with the token of an account differ from those with a key. */
export interface AccountManners {
  /** No key serves: a person has to sign in. */
  readonly required?: true
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** The headers that differ by request. */
  readonly requestHeaders?: 'codex' | 'copilot'
  readonly compat?: ApiCompat
}

/** The API that lists an endpoint's models. `openai`: names only, as in OpenAI's list. */
export type RemoteKind = 'ollama' | 'lmstudio' | 'vllm' | 'llamacpp' | 'openai'
