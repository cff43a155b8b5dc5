// What may be known of an endpoint by its name.
import type { Api, ApiCompat } from '../adapter/merge-compat.ts'

export interface Preset {
  /** As people call it. */
  readonly title: string
  /** The wire it speaks. */
  readonly api: Api
  /** The wire it speaks at any other address than its own. @default api */
  readonly apiElsewhere?: Api
  /** Absent where every user has an address of their own; `{NAME}` stands for what that environment variable holds. */
  readonly baseUrl?: string
  /** The environment variable that holds the key; without one no key is asked for. */
  readonly keyVariable?: string
  /** Looked at in order where that one is not set. */
  readonly otherKeyVariables?: readonly string[]
  /** A key is sent where there is one; none is asked for. */
  readonly keyOptional?: boolean
  /** Its variable is usually set for something else, so that it being set does not choose this provider. */
  readonly sharedKey?: boolean
  /** Where this variable is set no key is asked for. */
  readonly insteadOfKey?: string
  /** What a GET under the base URL tells a right key from a wrong one by. @default /models */
  readonly keyCheckPath?: string
  /** The variables that replace parts of the preset for this one endpoint. */
  readonly baseUrlVariable?: string
  readonly organizationVariable?: string
  readonly projectVariable?: string
  readonly apiVersionVariable?: string
  readonly vertexProjectVariable?: string
  readonly vertexLocationVariable?: string
  readonly vertexKeyFileVariable?: string
  /** The model that is taken where a key is there and no model is named; absent: none is chosen unasked. */
  readonly defaultModel?: string
  /** It runs on this machine: free of charge, and slow to say its first word. */
  readonly local?: boolean
  /** How it is asked what it serves; absent: it is not asked. */
  readonly serves?: RemoteKind
  /** It is looked for where no key is set and no model is named. */
  readonly detected?: boolean
  /** Whose models it serves: their manners count, and what is known of them where it has no list of its own. */
  readonly catalogue?: string
  /** What a model takes that the catalogue does not know. @default text only */
  readonly inputs?: readonly ('text' | 'image')[]
  /** Its manners at its own address; anywhere else only what the model is known for counts. */
  readonly compat?: ApiCompat
  /** Its manners at any address. */
  readonly compatEverywhere?: ApiCompat
  /** What people should know: for the table in the docs. */
  readonly note?: string
}

/** How an endpoint is asked what it serves. `openai`: it says names alone, in the form of OpenAI's list. */
export type RemoteKind = 'ollama' | 'lmstudio' | 'vllm' | 'llamacpp' | 'openai'
