import type { Prepare } from './statements.ts'

/** Rows of one statement: few sizes, so that each statement is prepared once. */
const sizes = [256, 64, 16, 8, 4, 2, 1]

/**
 * Inserts rows into a table of the writer, at once, or many with few statements: between `hold` and `flush` the rows wait. `into`
 * is the table with its columns in parentheses.
 */
export function lineBuffer(prepare: Prepare, into: string, columns: number) {
  const row = `(${Array(columns).fill('?').join()})`
  const sqlOf = new Map(
    sizes.map((size) => [size, `INSERT INTO ${into} VALUES ${Array(size).fill(row).join()}`] as const),
  )
  let held: unknown[][] | null = null

  function insert(rows: readonly unknown[][]): void {
    for (let at = 0; at < rows.length; ) {
      const size = sizes.find((each) => each <= rows.length - at)!
      prepare(sqlOf.get(size)!).run(...rows.slice(at, at + size).flat())
      at += size
    }
  }

  return {
    add(rows: readonly unknown[][]): void {
      if (held) held.push(...rows)
      else insert(rows)
    },
    hold(): void {
      held ??= []
    },
    /** Inserts the rows that wait. Further rows are inserted at once. */
    flush(): void {
      const rows = held ?? []
      held = null
      insert(rows)
    },
    /** The rows that wait. */
    waiting: (): readonly unknown[][] => held ?? [],
    isHeld: () => held !== null,
    /** Forgets the rows after the first `count`: their part of the command was taken back. */
    cut(count: number): void {
      if (held) held.length = count
    },
    /** Forgets all rows: the command was taken back. */
    forget(): void {
      held = null
    },
  }
}

export type LineBuffer = ReturnType<typeof lineBuffer>
