import type { LeftRow } from '../resource/slice.ts'

/** What a command of the retention could not delete or clear when it last ran. */
export interface NotForgotten {
  /** The name of the command, such as `retention/keys`. */
  by: string
  /** The number of rows that were left; 0 when the command itself failed. */
  rows: number
  /** The first of these rows with the reason, or the reason of the command. It contains no data of a guest. */
  example: string
}

export type RetentionReport = ReturnType<typeof retentionReport>

/** Keeps what the retention could not delete, for the status, until the command has succeeded. */
export function retentionReport() {
  const left = new Map<string, NotForgotten>()
  return {
    /** Records how a command has ended: with these rows left, of `count` in all; none means that it has succeeded. */
    ended(by: string, count: number, [first]: readonly LeftRow[]): void {
      if (first) left.set(by, { by, rows: count, example: `${first.row}: ${first.reason}` })
      else left.delete(by)
    },
    /** Records that a command has failed as a whole. */
    failed(by: string, error: unknown): void {
      const { code, name } = error as NodeJS.ErrnoException
      left.set(by, { by, rows: 0, example: code ?? name })
    },
    /** Whether a command left something when it last ran. */
    has: (by: string): boolean => left.has(by),
    all: (): NotForgotten[] => [...left.values()],
  }
}
