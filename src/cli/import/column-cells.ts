/** Cells of a column, for the summary: their number and some of them. */
export interface ColumnCells {
  cells: number
  examples: Set<string>
}

const mostExamples = 3

/** Counts a cell. The first three different ones are the examples. */
export function countCell(its: ColumnCells, example: string): void {
  its.cells++
  if (its.examples.size < mostExamples) its.examples.add(example)
}

/** Counts a cell of a column in `found`. */
export function countIn(found: Map<string, ColumnCells>, column: string, example: string): void {
  const its = found.get(column) ?? { cells: 0, examples: new Set<string>() }
  found.set(column, its)
  countCell(its, example)
}

/** Returns `1 cell in Guest` or `2 cells in Guest`. */
export function cellsIn(column: string, cells: number): string {
  return `${cells} ${cells === 1 ? 'cell' : 'cells'} in ${column}`
}
