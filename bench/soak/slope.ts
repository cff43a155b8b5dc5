// The slope of a noisy series, by least squares.

export interface Point {
  readonly x: number
  readonly y: number
}

/** The growth of y for one more x. 0 if all points have one x, or there are fewer than two. */
export function slope(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [middleX, middleY] = [mean(({ x }) => x), mean(({ y }) => y)]
  const squares = points.reduce((sum, { x }) => sum + (x - middleX) ** 2, 0)
  const products = points.reduce((sum, { x, y }) => sum + (x - middleX) * (y - middleY), 0)
  return squares > 0 ? products / squares : 0
}
