// Names the rewrites of a bundle that make it start faster, and reads which of them are off.
//
// `RXPI_BUILD_WITHOUT=late-builtins,eager-functions npm run build` builds without these. Each rewrite is one file with
// its effect and its measurement; docs/decisions/0110-build-tricks.md has all figures.

const buildTricks = ['eager-functions', 'late-builtins', 'ascii-source'] as const
type BuildTrick = (typeof buildTricks)[number]

/** True if a build applies the rewrite. Throws if the variable names an unknown rewrite. */
export function hasBuildTrick(trick: BuildTrick, env: NodeJS.ProcessEnv = process.env): boolean {
  const off = (env['RXPI_BUILD_WITHOUT'] ?? '').split(',').filter((name) => name !== '')
  const unknown = off.find((name) => !buildTricks.some((known) => known === name))
  if (unknown !== undefined)
    throw new Error(`RXPI_BUILD_WITHOUT: there is no "${unknown}"; there are ${buildTricks.join(', ')}`)
  return !off.includes(trick)
}
