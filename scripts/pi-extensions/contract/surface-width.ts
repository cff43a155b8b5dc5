// The size of the screen, on both sides.
export const surfaceWidth = 80
export const surfaceRows = 24
