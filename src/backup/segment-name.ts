/** The segment that a file name describes: when it was made, and which lines of the journal it covers. */
export interface SegmentName {
  name: string
  at: number
  from: number
  to: number
}

const form = /^nightporter-keys-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(\d+)-(\d+)\.age$/

/** Returns the name of a segment's file. Every file system accepts its letters. */
export function segmentName({ at, from, to }: Omit<SegmentName, 'name'>): string {
  const moment = new Date(at).toISOString().replaceAll(/[:.]/g, '')
  return `nightporter-keys-${moment}-${from}-${to}.age`
}

/** Returns the segments among the names of files, oldest first. */
export function segmentsAmong(names: readonly string[]): SegmentName[] {
  return names
    .flatMap((name) => {
      const [, date, hours, minutes, seconds, milliseconds, from, to] = form.exec(name) ?? []
      if (!date) return []
      const at = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`)
      return [{ name, at, from: Number(from), to: Number(to) }]
    })
    .sort((one, other) => one.at - other.at || one.to - other.to)
}
