// Chooses the environment of a provider: the client's, or that of the server's start.
// Guarantees: key, address and account of a request come from one environment (docs/decisions/0216).
type Environment = Readonly<Record<string, string>>

export interface KeyEnvironments {
  /** The client's environment. */
  readonly env: Environment
  /** The environment with which a person started the server; for providers alone. @default none */
  readonly startEnv?: Environment | undefined
}

/** The environment that one provider uses. */
export interface KeyEnvironment {
  readonly env: Environment
  /** True: it is that of the server's start. */
  readonly isOfStart: boolean
}

/** The variables that name a provider's key, or stand for one. */
export interface KeyVariables {
  readonly baseUrl?: string
  readonly keyVariable?: string
  readonly otherKeyVariables?: readonly string[]
  readonly insteadOfKey?: string
  readonly keyOptional?: boolean
  readonly baseUrlVariable?: string
}

/** Returns the client's environment, unless only the server's has the provider's key. */
export function chooseEnvironment(
  variables: KeyVariables | undefined,
  { env, startEnv }: KeyEnvironments,
): KeyEnvironment {
  const usesStart = startEnv !== undefined && !hasKey(variables, env) && hasKey(variables, startEnv)
  return usesStart ? { env: startEnv, isOfStart: true } : { env, isOfStart: false }
}

/** An address without a key counts only if the provider needs no key. */
function hasKey(variables: KeyVariables | undefined, env: Environment): boolean {
  const { keyVariable, otherKeyVariables = [], insteadOfKey, keyOptional, baseUrlVariable } = variables ?? {}
  const names = [keyVariable, ...otherKeyVariables, insteadOfKey, keyOptional === true ? baseUrlVariable : undefined]
  return names.some((name) => name !== undefined && isSet(name, env))
}

function isSet(name: string, env: Environment): boolean {
  return (env[name]?.trim() ?? '') !== ''
}

/** The value of a variable that a stored key or models.json names: the client's, else that of the server's start. */
export function lookUpVariable(name: string, { env, startEnv = {} }: KeyEnvironments): string {
  return env[name]?.trim() || startEnv[name]?.trim() || ''
}

/** Names the source of a variable for people. */
export function describeSource(variable: string, { isOfStart }: Pick<KeyEnvironment, 'isOfStart'>): string {
  return isOfStart ? `${variable} of the server's start` : variable
}
