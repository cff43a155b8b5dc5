// The width of every component, on both sides.
export const surfaceWidth = 80
