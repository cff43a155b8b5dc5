// A host may bring the key of each request itself, for instance one that expires.
import type { ObservableInput } from 'rxjs'

/**
 * Asked before each request with the provider's name; its last value is the key. Undefined, or nothing: the keys of
 * environment, storage and `models.json` count. What it throws ends the request as a failure of kind `auth`.
 */
export type GetApiKey = (provider: string) => ObservableInput<string | undefined> | undefined
