// Names a flag of V8 for processes of `npm test` that run much code, most of it a few times.

/**
 * V8 compiles with Maglev, and not with Turbofan: 5 to 9 % less CPU time for the shared test processes, 11 to 20 % for
 * ESLint (docs/decisions/0736). None in the long suites, which run with the compilers that users have.
 */
export const v8Flags: readonly string[] = process.env['RXPI_FULL'] === undefined ? ['--max-opt=2'] : []
