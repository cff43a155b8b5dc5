// Makes the dice of a game fall alike on both sides.

/** Games place their pieces by `Math.random`; ids come from elsewhere. */
export function fixRandom(isFixed: boolean | undefined): void {
  if (isFixed === true) Math.random = () => 0.25
}
