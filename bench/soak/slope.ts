// How fast something grows, however much it goes up and down: the line that has the least squares of distances from all points.

export interface Point {
  readonly x: number
  readonly y: number
}

/** What y grows by for one more x. 0 where all points have one x, or there are fewer than two. */
export function slope(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [middleX, middleY] = [mean(({ x }) => x), mean(({ y }) => y)]
  const squares = points.reduce((sum, { x }) => sum + (x - middleX) ** 2, 0)
  const products = points.reduce((sum, { x, y }) => sum + (x - middleX) * (y - middleY), 0)
  return squares > 0 ? products / squares : 0
}
