// The one list of environment variables that set something; all others that begin with RXPI_ mean nothing here.

/**
 * Variable → the key of `settings.json` that it stands for. Times are milliseconds, 0 = no limit; `RXPI_TOOLS` and
 * `RXPI_FALLBACKS` hold names with commas between. An empty variable counts as unset.
 */
export const settingVariables = {
  RXPI_MODEL: 'model',
  RXPI_FALLBACKS: 'fallbacks',
  RXPI_THINKING: 'thinkingLevel',
  RXPI_TOOLS: 'tools',
  RXPI_TOOL_EXECUTION: 'toolExecution',
  RXPI_STEERING: 'steering',
  RXPI_STEERING_MODE: 'steeringMode',
  RXPI_FOLLOW_UP_MODE: 'followUpMode',
  RXPI_KEY_STORAGE: 'keyStorage',
  RXPI_THEME: 'theme',
  RXPI_NOTIFY: 'notifications',
  RXPI_MAX_TURNS: 'limits.turns',
  RXPI_MAX_TOKENS: 'limits.tokens',
  RXPI_MAX_USD: 'limits.usd',
  RXPI_MAX_SAME_CALLS: 'limits.sameCalls',
  RXPI_IDLE_MS: 'limits.idleMs',
  RXPI_WALL_CLOCK_MS: 'limits.wallClockMs',
  RXPI_LOCAL_MODELS_MS: 'localModels.withinMs',
  RXPI_BASH_TIMEOUT_MS: 'bash.timeoutMs',
} as const
